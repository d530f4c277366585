package fabric_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

var server = netip.AddrPortFrom(fabric.ServerAddr, build.PortNFS)

// connect makes a connection, as two Linux hosts do.
func connect(t *testing.T, f *fabric.Fabric, o transport.Options) (c, s transport.Connection) {
	t.Helper()
	l, err := f.Listen(netip.AddrPortFrom(netip.IPv4Unspecified(), server.Port()))
	replaytest.Must(t, err)
	defer l.Close()
	accepted := make(chan error, 1)
	go func() {
		r, err := l.Next(replaytest.Patience(t))
		if err == nil {
			answer := o
			answer.PrivateData = build.PrivateData(4096, 4096, false)
			s, err = r.Accept(replaytest.Patience(t), answer)
		}
		accepted <- err
	}()
	asked := o
	asked.PrivateData = build.PrivateData(4096, 4096, true)
	c, err = f.Dial(replaytest.Patience(t), server, asked)
	replaytest.Must(t, err)
	replaytest.Must(t, <-accepted)
	t.Cleanup(func() { c.Close(); s.Close() })
	return c, s
}

// next takes a completion that has succeeded.
func next(t *testing.T, c transport.Connection, what transport.Operation) transport.Completion {
	t.Helper()
	done, err := c.Next(replaytest.Patience(t))
	replaytest.Must(t, err)
	if done.Operation != what || done.Err != nil {
		t.Fatalf("%v: %v, want a %v", done.Operation, done.Err, what)
	}
	return done
}

// TestWire holds that what crossed is a capture that the decoders take for that, in which no
// rule finds a fault of two peers that make none, on both transports.
func TestWire(t *testing.T) {
	for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
		t.Run(d.Name, func(t *testing.T) {
			f := fabric.New(d)
			c, s := connect(t, f, transport.Options{})
			const fh = "handle!!"
			call := func(m build.Message, h build.Header) uint32 {
				h.XID, h.Credits = m.XID(), 128
				replaytest.Must(t, c.Send(1, h.With(m.Reduced())))
				next(t, c, transport.OpSend)
				replaytest.Must(t, s.Repost(next(t, s, transport.OpReceive)))
				return h.XID
			}
			reply := func(m build.Message, h build.Header) {
				h.XID, h.Credits = m.XID(), 64
				replaytest.Must(t, s.Send(2, h.With(m.Reduced())))
				next(t, s, transport.OpSend)
				replaytest.Must(t, c.Repost(next(t, c, transport.OpReceive)))
			}
			xid := call(build.NFS3Null(1), build.Header{})
			reply(build.NFS3NullReply(xid), build.Header{})

			data := []byte(strings.Repeat("what stands in it. ", 400))
			into, err := c.Register(8192, transport.Registration{Access: transport.RemoteWrite})
			replaytest.Must(t, err)
			from, err := s.Register(len(data), transport.Registration{})
			replaytest.Must(t, err)
			copy(from.Bytes(), data)
			chunk := build.Segment{Handle: into.Handle(), Length: 8192, Offset: into.Offset()}
			xid = call(build.NFS3Read(2, []byte(fh), 0, 8192), build.Header{Writes: [][]build.Segment{{chunk}}})
			replaytest.Must(t, s.Write(3, transport.Range{Region: from, Length: len(data)}, transport.Remote{Handle: chunk.Handle, Offset: chunk.Offset}))
			next(t, s, transport.OpWrite)
			chunk.Length = uint32(len(data))
			reply(build.NFS3ReadReply(xid, data), build.Header{Writes: [][]build.Segment{{chunk}}})
			if string(into.Bytes()[:len(data)]) != string(data) {
				t.Error("the data is not there")
			}

			out, err := c.Register(len(data), transport.Registration{Access: transport.RemoteRead})
			replaytest.Must(t, err)
			copy(out.Bytes(), data)
			sink, err := s.Register(len(data), transport.Registration{Access: transport.Sink})
			replaytest.Must(t, err)
			write := build.NFS3Write(3, []byte(fh), 0, data)
			xid = call(write, build.Header{Reads: []build.ReadSegment{{Position: uint32(len(write.Bytes) - len(data)), Segment: build.Segment{Handle: out.Handle(), Length: uint32(len(data)), Offset: out.Offset()}}}})
			replaytest.Must(t, s.Read(4, transport.Range{Region: sink, Length: len(data)}, transport.Remote{Handle: out.Handle(), Offset: out.Offset()}))
			next(t, s, transport.OpRead)
			reply(build.NFS3WriteReply(xid, uint32(len(data))), build.Header{})
			replaytest.Must(t, c.Close())

			frames := captured(t, f)
			for _, found := range ruletest.Check(t, catalogue.All(), frames) {
				if found.Severity > 0 {
					t.Errorf("%s in frame %d: %s", found.ID(), found.Frame.Number, found.Message)
				}
			}
			kinds := make(map[fabric.Kind]int)
			for _, e := range f.Events() {
				kinds[e.Kind]++
			}
			want := map[fabric.Kind]int{fabric.Ask: 1, fabric.Agree: 1, fabric.Send: 6, fabric.Read: 1, fabric.Write: 1, fabric.Leave: 1}
			for kind, n := range want {
				if kinds[kind] != n {
					t.Errorf("%d of %v, want %d: %v", kinds[kind], kind, n, f.Events())
				}
			}
		})
	}
}

// TestAcceptorBegins holds that on iWARP, and there alone, the side that accepted breaks the
// connection if it begins.
func TestAcceptorBegins(t *testing.T) {
	for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
		c, s := connect(t, fabric.New(d), transport.Options{})
		replaytest.Must(t, s.Send(1, nil))
		done, err := s.Next(replaytest.Patience(t))
		replaytest.Must(t, err)
		if failed := (*transport.WorkError)(nil); errors.As(done.Err, &failed) != d.IWARP {
			t.Errorf("%s: %v", d.Name, done.Err)
		}
		if _, err := c.Next(replaytest.Patience(t)); (err != nil) != d.IWARP {
			t.Errorf("%s: the other side: %v", d.Name, err)
		}
	}
}

// TestFull holds that no more is taken than was asked for, until completions are.
func TestFull(t *testing.T) {
	c, _ := connect(t, fabric.New(fabric.SoftRoCE()), transport.Options{Work: 2})
	replaytest.Must(t, c.Send(1, nil))
	replaytest.Must(t, c.Send(2, nil))
	if err := c.Send(3, nil); !errors.Is(err, transport.ErrFull) {
		t.Error(err)
	}
	next(t, c, transport.OpSend)
	replaytest.Must(t, c.Send(3, nil))
}

// TestRefused holds what is reported where nobody listens, or nobody answers.
func TestRefused(t *testing.T) {
	f := fabric.New(fabric.SoftIWARP())
	var rejected *transport.Rejected
	if _, err := f.Dial(replaytest.Patience(t), server, transport.Options{}); !errors.As(err, &rejected) || rejected.Status >= 0 {
		t.Error(err)
	}
	l, err := f.Listen(server)
	replaytest.Must(t, err)
	if _, err := f.Listen(server); err == nil {
		t.Error("two listen at one address")
	}
	if _, err := f.Dial(replaytest.Patience(t), server, transport.Options{Limit: time.Millisecond}); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Error(err)
	}
	replaytest.Must(t, l.Close())
	if f.Left() != 0 || len(captured(t, f)) == 0 {
		t.Errorf("%d left, %d frames", f.Left(), len(captured(t, f)))
	}
}

// TestFaultsOnTheWire holds that what broke a connection is in the capture as the device's
// answer, and that the rules that look at such find it.
func TestFaultsOnTheWire(t *testing.T) {
	for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
		for name, post := range map[string]func(c transport.Connection, r transport.Region) error{
			"no Receive": func(c transport.Connection, _ transport.Region) error {
				return errors.Join(c.Send(1, nil), c.Send(2, nil))
			},
			"too long":  func(c transport.Connection, _ transport.Region) error { return c.Send(1, make([]byte, 200)) },
			"no handle": func(c transport.Connection, _ transport.Region) error { return c.SendInvalidate(1, nil, 0x1234) },
			"no memory": func(c transport.Connection, r transport.Region) error {
				return c.Write(1, transport.Range{Region: r, Length: 9}, transport.Remote{Handle: 0x77, Offset: 5})
			},
		} {
			f := fabric.New(d)
			c, s := connect(t, f, transport.Options{Receives: 1, ReceiveSize: 100, SendSize: 200})
			r, err := c.Register(9, transport.Registration{})
			replaytest.Must(t, err)
			replaytest.Must(t, post(c, r))
			for range 3 {
				if _, err = s.Next(replaytest.Patience(t)); err != nil {
					break
				}
			}
			if ended := (*transport.Disconnected)(nil); !errors.As(err, &ended) {
				t.Errorf("%s: %s: %v", d.Name, name, err)
			}
			before := len(captured(t, f))
			replaytest.Must(t, errors.Join(c.Close(), s.Close()))
			if after := len(captured(t, f)); after != before {
				t.Errorf("%s: %s: %d frames after the end", d.Name, name, after-before)
			}
			var said []string
			for _, found := range ruletest.Check(t, catalogue.All(), captured(t, f)) {
				said = append(said, found.ID())
			}
			t.Logf("%s: %s: %v", d.Name, name, said)
			if !strings.Contains(strings.Join(said, " "), "TRANS-") {
				t.Errorf("%s: %s: no rule of the transport says why it broke", d.Name, name)
			}
		}
	}
}

func captured(t *testing.T, f *fabric.Fabric) []capture.Frame {
	t.Helper()
	list, err := f.Captured()
	replaytest.Must(t, err)
	return list
}
