//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// onBoth runs a test on both kinds of device.
func onBoth(t *testing.T, run func(t *testing.T, p transport.Provider, to netip.AddrPort)) {
	f := newFabric(t)
	for name, b := range map[string]behavior{"rxe": likeRXE, "siw": likeSIW} {
		t.Run(name, func(t *testing.T) { run(t, f.behave(t, b), here) })
	}
}

// TestMessages holds that messages come whole and in order in both directions, more of them
// than there are buffers, with what each side said when it connected.
func TestMessages(t *testing.T) { onBoth(t, messages) }

func messages(t *testing.T, p transport.Provider, to netip.AddrPort) {
	o := transport.Options{Receives: 4, Work: 3, ReceiveSize: 100, SendSize: 100}
	oc, os := o, o
	oc.PrivateData, os.PrivateData = []byte("from the client"), []byte("from the server")
	c, s := connect(t, p, to, oc, os)
	for _, side := range []struct {
		from   transport.Connection
		want   string
		padded int
	}{{s, "from the client", 56}, {c, "from the server", 196}} {
		want := []byte(side.want)
		if !c.Device().IWARP {
			want = append(want, make([]byte, side.padded-len(want))...)
		}
		if !bytes.Equal(side.from.PrivateData(), want) {
			t.Errorf("private data %q, want %q", side.from.PrivateData(), want)
		}
	}
	if s.Local() != to || c.Peer() != to || s.Peer() != c.Local() {
		t.Errorf("client %v to %v, server %v to %v", c.Local(), c.Peer(), s.Local(), s.Peer())
	}
	for i := range 50 {
		for _, way := range [][2]transport.Connection{{c, s}, {s, c}} {
			message := fmt.Appendf(nil, "message %d%s", i, strings.Repeat(".", i))
			must(t, way[0].Send(uint64(i), message))
			next(t, way[0], transport.OpSend, uint64(i))
			got := next(t, way[1], transport.OpReceive, 0)
			if !bytes.Equal(got.Message, message) || got.Invalidated {
				t.Fatalf("message %d: %q", i, got.Message)
			}
			must(t, way[1].Repost(got))
			if err := way[1].Repost(got); err == nil {
				t.Fatal("a buffer could be given back twice")
			}
		}
	}
}

// TestSendAll holds that a list of messages comes whole and in order, as far as there is room for
// it, and that what does not fit is not taken.
func TestSendAll(t *testing.T) { onBoth(t, sendAll) }

func sendAll(t *testing.T, p transport.Provider, to netip.AddrPort) {
	c, s := connect(t, p, to, transport.Options{Work: 3, SendSize: 5}, transport.Options{Receives: 8})
	list := [][]byte{[]byte("a"), []byte("bb"), []byte("ccc"), []byte("dddd")}
	for round := range 3 {
		first := uint64(10 * round)
		if n, err := c.SendAll(first, list); n != 3 || err != nil {
			t.Fatalf("%d were taken (%v), want 3", n, err)
		}
		if n, err := c.SendAll(first+3, list[3:]); n != 0 || !errors.Is(err, transport.ErrFull) {
			t.Errorf("%d were taken (%v) by a full queue", n, err)
		}
		for i := range 3 {
			next(t, c, transport.OpSend, first+uint64(i))
			got := next(t, s, transport.OpReceive, 0)
			if !bytes.Equal(got.Message, list[i]) {
				t.Errorf("message %d: %q, want %q", i, got.Message, list[i])
			}
			must(t, s.Repost(got))
		}
	}
	if n, err := c.SendAll(1, nil); n != 0 || err != nil {
		t.Errorf("of no messages %d were taken (%v)", n, err)
	}
	if _, err := c.SendAll(1, [][]byte{make([]byte, 6)}); err == nil || !strings.Contains(err.Error(), "6 bytes") {
		t.Error(err)
	}
}

// TestReadAndWrite holds that RDMA Reads and Writes move what they say, within larger
// memory, at a captured offset where the device honours that.
func TestReadAndWrite(t *testing.T) { onBoth(t, readAndWrite) }

func readAndWrite(t *testing.T, p transport.Provider, to netip.AddrPort) {
	c, s := connect(t, p, to, transport.Options{Reads: 2}, transport.Options{})
	greet(t, c, s)
	r := transport.Registration{Access: transport.RemoteRead | transport.RemoteWrite, At: true, Offset: 0x7f0012345abc}
	if _, err := c.Register(100, r); (err == nil) != s.Device().Offsets {
		t.Errorf("a captured offset: %v", err)
	} else if r.At = err == nil; err != nil && !strings.Contains(err.Error(), "0x00007f0012345abc") {
		t.Error(err)
	}
	theirs := register(t, c, r, []byte("0123456789"))
	if r.At && theirs.Offset() != r.Offset {
		t.Errorf("offset %#x, want %#x", theirs.Offset(), r.Offset)
	}
	mine := register(t, s, transport.Registration{Access: transport.Sink}, []byte("abcdefghij"))
	at := func(n uint64) transport.Remote {
		return transport.Remote{Handle: theirs.Handle(), Offset: theirs.Offset() + n}
	}
	must(t, s.Read(1, transport.Range{Region: mine, At: 2, Length: 3}, at(5)))
	next(t, s, transport.OpRead, 1)
	must(t, s.Write(2, transport.Range{Region: mine, At: 1, Length: 4}, at(0)))
	next(t, s, transport.OpWrite, 2)
	must(t, s.Send(3, nil)) // after which it is there: Soft-iWARP completes a Write as soon as it is sent
	next(t, s, transport.OpSend, 3)
	next(t, c, transport.OpReceive, 0)
	if string(mine.Bytes()) != "ab567fghij" || string(theirs.Bytes()) != "b567456789" {
		t.Errorf("%q and %q", mine.Bytes(), theirs.Bytes())
	}
	if err := c.Read(3, transport.Range{Region: theirs}, transport.Remote{}); err == nil || !strings.Contains(err.Error(), "may not issue RDMA Reads") {
		t.Errorf("a Read that would wait for ever: %v", err)
	}
	must(t, mine.Close())
	if err := s.Write(4, transport.Range{Region: mine}, at(0)); err == nil {
		t.Error("memory could be used that is not registered any more")
	}
}

// TestWindows holds that a window shows its range and no more, that a Send With Invalidate
// ends that and is told, and that a window can be bound again and again.
func TestWindows(t *testing.T) {
	f := newFabric(t)
	for name, b := range map[string]behavior{"rxe": likeRXE, "hca": likeHCA} {
		t.Run(name, func(t *testing.T) { windows(t, f.behave(t, b), here, 600) }) // more often than there are keys
	}
}

func windows(t *testing.T, p transport.Provider, to netip.AddrPort, times int) {
	c, s := connect(t, p, to, transport.Options{}, transport.Options{})
	memory := register(t, c, transport.Registration{Access: transport.Bindable}, []byte("0123456789"))
	window, err := c.NewWindow()
	must(t, err)
	mine := register(t, s, transport.Registration{Access: transport.Sink}, make([]byte, 4))
	all, last := transport.Range{Region: mine, Length: 4}, uint32(0)
	for i := range times {
		handle, err := window.Bind(1, transport.Range{Region: memory, At: 3, Length: 4}, transport.RemoteRead)
		must(t, err)
		if handle == last {
			t.Fatalf("bind %d: the handle is that of before", i)
		}
		last = handle
		if done := next(t, c, transport.OpBind, 1); done.Handle != handle {
			t.Fatalf("bind %d: handle %#x in the completion, %#x before", i, done.Handle, handle)
		}
		if i%2 == 0 {
			must(t, s.Read(2, all, transport.Remote{Handle: handle, Offset: memory.Offset() + 3}))
			next(t, s, transport.OpRead, 2)
			must(t, s.SendInvalidate(3, mine.Bytes(), handle))
			next(t, s, transport.OpSend, 3)
			got := next(t, c, transport.OpReceive, 0)
			if string(got.Message) != "3456" || !got.Invalidated || got.Handle != handle {
				t.Fatalf("bind %d: %+v", i, got)
			}
			must(t, c.Repost(got))
		} else {
			must(t, c.Invalidate(4, handle))
			next(t, c, transport.OpInvalidate, 4)
		}
	}
	must(t, s.Read(5, all, transport.Remote{Handle: last, Offset: memory.Offset() + 3}))
	broken(t, s, 10, 5)
}

// TestWindowsRefused holds what is reported of binds that cannot be.
func TestWindowsRefused(t *testing.T) {
	f := newFabric(t)
	c, _ := connect(t, f.behave(t, likeRXE), here, transport.Options{}, transport.Options{})
	window, err := c.NewWindow()
	must(t, err)
	plain := register(t, c, transport.Registration{Access: transport.RemoteRead}, make([]byte, 10))
	bindable := register(t, c, transport.Registration{Access: transport.Bindable}, make([]byte, 10))
	for _, r := range []transport.Range{
		{Region: plain, Length: 1}, {Region: bindable}, {Region: bindable, At: 5, Length: 6}, {Region: bindable, At: -1, Length: 2},
		{Region: bindable, At: 1, Length: -1}, {Length: 1},
	} {
		if _, err := window.Bind(1, r, transport.RemoteRead); err == nil {
			t.Errorf("%+v could be bound", r)
		}
	}
	_, err = window.Bind(1, transport.Range{Region: bindable, Length: 1}, transport.RemoteRead)
	must(t, err)
	if _, err = window.Bind(2, transport.Range{Region: bindable, Length: 1}, transport.RemoteRead); err == nil {
		t.Error("a window could be bound that is being bound")
	}
	next(t, c, transport.OpBind, 1)
	if _, err = window.Bind(3, transport.Range{Region: bindable, Length: 1}, transport.RemoteRead); err != nil {
		t.Error(err)
	}
	broken(t, c, 6, 3)
}

// TestNoWindows holds what is reported where there are no windows, and that Soft-iWARP has a peer
// invalidate other memory, without telling.
func TestNoWindows(t *testing.T) { noWindows(t, newFabric(t).behave(t, likeSIW), here) }

func noWindows(t *testing.T, p transport.Provider, to netip.AddrPort) {
	c, s := connect(t, p, to, transport.Options{}, transport.Options{})
	greet(t, c, s)
	if _, err := c.NewWindow(); err == nil || !strings.Contains(err.Error(), "no memory windows") {
		t.Error(err)
	}
	memory := register(t, c, transport.Registration{Access: transport.RemoteRead}, make([]byte, 10))
	must(t, s.SendInvalidate(1, []byte("reply"), memory.Handle()))
	next(t, s, transport.OpSend, 1)
	if got := next(t, c, transport.OpReceive, 0); string(got.Message) != "reply" || got.Invalidated {
		t.Errorf("%+v", got)
	}
}

// broken takes the completion of work that failed, and the end of the connection after it.
// On iWARP the status is that of work which is flushed.
func broken(t *testing.T, c transport.Connection, status int, id uint64) {
	t.Helper()
	if c.Device().IWARP {
		status = transport.Flushed
	}
	ctx := patience(t)
	done, err := c.Next(ctx)
	var failed *transport.WorkError
	if err != nil || !errors.As(done.Err, &failed) || failed.Status != status || done.ID != id {
		t.Fatalf("completion %+v, error %v, want status %d of %d", done, err, status, id)
	}
	reason := ended(t, c)
	if w := (*transport.WorkError)(nil); status != transport.Flushed && (!errors.As(reason, &w) || w.Status != status) {
		t.Errorf("the connection ended by %v, not by status %d", reason, status)
	}
}

// ended holds that Next says that the connection has ended, and goes on saying so.
func ended(t *testing.T, c transport.Connection) (reason error) {
	t.Helper()
	for range 2 {
		done, err := c.Next(patience(t))
		var d *transport.Disconnected
		if !errors.As(err, &d) {
			t.Fatalf("after the end: completion %+v, error %v", done, err)
		}
		reason = err
	}
	if err := c.Send(99, nil); err == nil {
		t.Error("after the end a Send was taken")
	}
	return reason
}

// TestBroken holds how each fault of one side ends the connection on both, on one device
// told by completions and on the other by events, within a time.
func TestBroken(t *testing.T) { onBoth(t, allBroken) }

func allBroken(t *testing.T, p transport.Provider, to netip.AddrPort) {
	small := transport.Options{Receives: 2, Work: 8, ReceiveSize: 10, SendSize: 100}
	for _, c := range []struct {
		name   string
		status int
		do     func(t *testing.T, c, s transport.Connection)
	}{
		{"more messages than Receives", 13, func(t *testing.T, c, s transport.Connection) {
			for i := range 2 {
				must(t, c.Send(uint64(i), []byte("a")))
				next(t, c, transport.OpSend, uint64(i))
			}
			must(t, c.Send(7, []byte("b")))
			for range 2 { // what came before the fault is told
				next(t, s, transport.OpReceive, 0)
			}
		}},
		{"a message too long", 11, func(t *testing.T, c, s transport.Connection) { must(t, c.Send(7, make([]byte, 11))) }},
		{"memory that there is not", 10, func(t *testing.T, c, s transport.Connection) {
			mine := register(t, c, transport.Registration{}, make([]byte, 8))
			must(t, c.Write(7, transport.Range{Region: mine, Length: 8}, transport.Remote{Handle: 0x1234, Offset: 0x5678}))
		}},
		{"an invalidated handle that there is not", 11, func(t *testing.T, c, s transport.Connection) { must(t, c.SendInvalidate(7, []byte("a"), 0x1234)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, server := connect(t, p, to, small, small)
			c.do(t, client, server)
			broken(t, client, c.status, 7)
			ended(t, server)
		})
		if c.status == 13 {
			continue // of which the peer does not know
		}
		t.Run(c.name+", and the peer disconnects first", func(t *testing.T) {
			client, server := connect(t, p, to, small, small)
			c.do(t, client, server)
			ended(t, server)
			time.Sleep(time.Millisecond) // mostly, the event has come
			broken(t, client, c.status, 7)
		})
	}
}

// TestClose requires that those who wait at either end learn that the connection is closed.
func TestClose(t *testing.T) { onBoth(t, closing) }

func closing(t *testing.T, p transport.Provider, to netip.AddrPort) {
	c, s := connect(t, p, to, transport.Options{}, transport.Options{})
	waits := func(c transport.Connection) chan error {
		told := make(chan error, 1)
		go func() {
			_, err := c.Next(context.Background())
			told <- err
		}()
		return told
	}
	here, there := waits(c), waits(s)
	time.Sleep(10 * time.Millisecond) // mostly, they wait
	closed(t, c)
	if err := <-here; !errors.Is(err, transport.ErrClosed) {
		t.Errorf("this side: %v", err)
	}
	if err, d := <-there, (*transport.Disconnected)(nil); !errors.As(err, &d) {
		t.Errorf("the other side: %v", err)
	}
	for name, err := range map[string]error{
		"Send": c.Send(1, nil), "SendInvalidate": c.SendInvalidate(1, nil, 2), "Write": c.Write(1, transport.Range{}, transport.Remote{}),
		"Invalidate": c.Invalidate(1, 2), "Repost": c.Repost(transport.Completion{}),
		"Register": second(c.Register(1, transport.Registration{})), "NewWindow": second(c.NewWindow()), "Next": second(c.Next(patience(t))),
	} {
		if !errors.Is(err, transport.ErrClosed) {
			t.Errorf("after Close: %s: %v", name, err)
		}
	}
	closed(t, c)
}

func second[T any](_ T, err error) error { return err }

// TestFull holds that no more is taken than was asked for, until completions are.
func TestFull(t *testing.T) {
	c, s := connect(t, newFabric(t).behave(t, likeRXE), here, transport.Options{Work: 2, SendSize: 5}, transport.Options{})
	must(t, c.Send(1, []byte("a")))
	must(t, c.Send(2, []byte("b")))
	if err := c.Send(3, nil); !errors.Is(err, transport.ErrFull) {
		t.Error(err)
	}
	next(t, c, transport.OpSend, 1)
	must(t, c.Send(3, nil))
	if err := c.Send(4, make([]byte, 6)); err == nil || !strings.Contains(err.Error(), "6 bytes") {
		t.Error(err)
	}
	for _, want := range []string{"a", "b", ""} {
		if got := next(t, s, transport.OpReceive, 0); string(got.Message) != want {
			t.Errorf("%q, want %q", got.Message, want)
		}
	}
}

// TestWaits holds that who waits for messages is woken by each that comes later.
func TestWaits(t *testing.T) {
	onBoth(t, func(t *testing.T, p transport.Provider, to netip.AddrPort) {
		c, s := connect(t, p, to, transport.Options{}, transport.Options{})
		came := make(chan error)
		go func() {
			for range 20 {
				got, err := s.Next(patience(t))
				if err == nil {
					err = s.Repost(got)
				}
				came <- err
			}
		}()
		for range 20 {
			time.Sleep(time.Millisecond) // mostly, it waits
			must(t, c.Send(1, nil))
			next(t, c, transport.OpSend, 1)
			must(t, <-came)
		}
	})
}

// TestNextCanceled holds that waiting ends with the context, and can be taken up again.
func TestNextCanceled(t *testing.T) {
	c, s := connect(t, newFabric(t).behave(t, likeRXE), here, transport.Options{}, transport.Options{})
	for range 20 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		if _, err := s.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
		must(t, c.Send(1, []byte("a")))
		must(t, s.Repost(next(t, s, transport.OpReceive, 0)))
		next(t, c, transport.OpSend, 1)
	}
}
