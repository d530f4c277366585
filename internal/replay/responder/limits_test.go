package responder_test

import (
	"bytes"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// pulled is how many bytes crossed by RDMA Read.
func pulled(f *fabric.Fabric) (n int) {
	for _, e := range f.Events() {
		if e.Kind == fabric.Read {
			n += len(e.Bytes)
		}
	}
	return n
}

// TestReadLimits has clients advertise more Read chunks than a limit allows: nothing of them is read, the
// call is answered by ERR_CHUNK, and what is within the limits is served.
func TestReadLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits responder.Limits
		chunks int
		length uint32 // of each chunk
		want   string // "" if it is served
	}{
		{"24 of 64 MiB", responder.Limits{}, 24, 64 << 20, "its Read chunks have 1610612736 bytes, more than the 67108864 allowed per call"},
		{"of 4 GiB", responder.Limits{}, 24, 0xffffffff, "its Read chunks have 103079215080 bytes, more"},
		{"--max-registered", responder.Limits{MaxRegistered: 1 << 20}, 2, 1 << 19, ""},
		{"a byte more than --max-registered", responder.Limits{MaxRegistered: 1 << 20}, 1, 1<<20 + 1, "have 1048577 bytes, more than the 1048576"},
		{"--memory", responder.Limits{Memory: 4 << 20}, 3, 1 << 20, "its Read chunks need 4194304 bytes of memory, more than is left (--memory)"},
		{"within --memory", responder.Limits{Memory: 4 << 20}, 1, 1 << 20, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := fabric.New(fabric.SoftRoCE())
			_, left := serve(t, f, conversation(t, captured(t, false), 0), responder.Options{Limits: test.limits})
			l := dial(t, f, false)
			segment := build.Segment{Handle: 1, Length: test.length}
			if test.want == "" {
				segment, _ = l.memory(int(test.length))
			}
			var h build.Header
			for i := range test.chunks {
				h.Reads = append(h.Reads, build.ReadSegment{Position: uint32(40 + 4*i), Segment: segment})
			}
			got, _ := l.ask(h, build.NFS3Write(7, fh, 0, []byte("data")))
			if refused := got.Proc == rpcrdma.RDMAError && got.Error == rpcrdma.ErrChunk; refused != (test.want != "") {
				t.Errorf("%+v", got)
			}
			if n, want := pulled(f), test.chunks*int(test.length); test.want != "" && n != 0 || test.want == "" && n != want {
				t.Errorf("%d bytes were read", n)
			}
			if got, _ := l.ask(build.Header{}, build.NFS3Null(8)); got.Proc != rpcrdma.RDMAMsg {
				t.Errorf("the next call: %+v", got)
			}
			replaytest.Must(t, l.Close())
			r := left()
			if (r.OverLimit == 1) != (test.want != "") || test.want != "" && !strings.Contains(strings.Join(r.Notes, "\n"), test.want) {
				t.Errorf("%+v", r)
			}
			faultless(t, f)
		})
	}
}

// TestMemoryIsGivenBack makes calls one after the other, of which each takes most of the memory.
func TestMemoryIsGivenBack(t *testing.T) {
	f := fabric.New(fabric.SoftRoCE())
	_, left := serve(t, f, conversation(t, captured(t, false), 0), responder.Options{Limits: responder.Limits{Memory: 3 << 20}})
	l := dial(t, f, false)
	segment, _ := l.memory(1 << 20)
	for xid := range uint32(20) {
		h := build.Header{Reads: []build.ReadSegment{{Position: 40, Segment: segment}}}
		if got, _ := l.ask(h, build.NFS3Write(100+xid, fh, 0, []byte("data"))); got.Proc != rpcrdma.RDMAMsg {
			t.Fatalf("call %d: %+v", xid, got)
		}
	}
	a, _ := l.memory(4096)
	if got, _ := l.ask(build.Header{Writes: [][]build.Segment{{a}}}, build.NFS3Read(7, fh, 0, 1000)); got.Proc != rpcrdma.RDMAMsg {
		t.Errorf("%+v", got)
	}
	replaytest.Must(t, l.Close())
	if r := left(); r.OverLimit != 0 {
		t.Errorf("%+v", r)
	}
}

// TestReplyLimit holds that a reply that takes more than is left becomes ERR_CHUNK.
func TestReplyLimit(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	data := bytes.Repeat([]byte("long "), 1<<18)
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 5<<18), build.WriteChunk{{Handle: 0xc82, Length: 2 << 20, Offset: 0x1000}}), build.NFS3ReadReply(1, data))
	f := fabric.New(fabric.SoftRoCE())
	_, left := serve(t, f, conversation(t, framesOf(t, c.Frames), 0), responder.Options{Limits: responder.Limits{MaxRegistered: 1 << 20}})
	l := dial(t, f, false)
	a, _ := l.memory(2 << 20)
	if got, _ := l.ask(build.Header{Writes: [][]build.Segment{{a}}}, build.NFS3Read(7, fh, 0, 5<<18)); got.Proc != rpcrdma.RDMAError || got.Error != rpcrdma.ErrChunk {
		t.Errorf("%+v", got)
	}
	replaytest.Must(t, l.Close())
	if r := left(); r.OverLimit != 1 || r.Writes != 0 {
		t.Errorf("%+v", r)
	}
}

// TestConnectionLimits holds how many clients are served at once, and that there has to be memory for
// each.
func TestConnectionLimits(t *testing.T) {
	c := conversation(t, captured(t, false), 0)
	if _, err := responder.New(c, responder.Options{Specs: specs(t), Limits: responder.Limits{Memory: 1000}}); err == nil || !strings.Contains(err.Error(), "(--memory)") {
		t.Errorf("a memory of 1000 bytes: %v", err)
	}
	for name, limits := range map[string]responder.Limits{"(--max-connections)": {MaxConnections: 2}, "(--memory)": {Memory: 2_000_000}} {
		f := fabric.New(fabric.SoftRoCE())
		s, err := responder.New(c, responder.Options{Specs: specs(t), Connections: 3, Limits: limits})
		replaytest.Must(t, err)
		listening, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- s.Serve(replaytest.Patience(t), f, at, func(netip.AddrPort) { close(listening) })
		}()
		<-listening
		var served []*live
		refused := 0
		for range 6 {
			conn, err := f.Dial(replaytest.Patience(t), at, transport.Options{})
			if rejected := (*transport.Rejected)(nil); errors.As(err, &rejected) {
				refused++
				continue
			}
			replaytest.Must(t, err)
			served = append(served, &live{t, conn})
		}
		if refused == 0 || len(served) < 2 {
			t.Fatalf("%s: %d were served and %d refused", name, len(served), refused)
		}
		// Whoever leaves makes room for another.
		replaytest.Must(t, served[0].Close())
		served = served[1:]
		for again := (error)(&transport.Rejected{}); again != nil; {
			var conn transport.Connection
			if conn, again = f.Dial(replaytest.Patience(t), at, transport.Options{}); again == nil {
				served = append(served, &live{t, conn})
			} else if rejected := (*transport.Rejected)(nil); !errors.As(again, &rejected) {
				t.Fatal(again)
			}
		}
		for _, l := range served {
			if h, _ := l.ask(build.Header{}, build.NFS3Null(7)); h == nil {
				t.Errorf("%s: a client is not served", name)
			}
			replaytest.Must(t, l.Close())
		}
		replaytest.Must(t, <-ended)
		if r := s.Report(); r.Refused < refused || r.Connections != 3 || !strings.Contains(strings.Join(r.Notes, "\n"), name) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A fakeTimer fires when a test says so.
type fakeTimer struct {
	fire   func()
	resets chan time.Duration
}

func (f *fakeTimer) Stop() bool { return true }
func (f *fakeTimer) Reset(d time.Duration) bool {
	f.resets <- d
	return true
}

// TestIdle holds that a client that sends nothing for so long is disconnected, and that each message
// begins the time anew.
func TestIdle(t *testing.T) {
	f := fabric.New(fabric.SoftRoCE())
	timers := make(chan *fakeTimer, 1)
	var asked []time.Duration
	limits := responder.Limits{AfterFunc: func(d time.Duration, fire func()) responder.Timer {
		made := &fakeTimer{fire, make(chan time.Duration, 10)}
		asked = append(asked, d)
		timers <- made
		return made
	}}
	_, left := serve(t, f, conversation(t, captured(t, false), 0), responder.Options{Limits: limits})
	l := dial(t, f, false)
	timer := <-timers
	l.ask(build.Header{}, build.NFS3Null(7))
	if d := <-timer.resets; d != responder.DefaultIdle {
		t.Errorf("the time begins anew with %v", d)
	}
	timer.fire()
	if _, err := l.Next(replaytest.Patience(t)); err == nil { // the completion of the Send may be there first
		_, err = l.Next(replaytest.Patience(t))
		if ended := (*transport.Disconnected)(nil); !errors.As(err, &ended) {
			t.Errorf("the connection is there: %v", err)
		}
	}
	replaytest.Must(t, l.Close())
	r := left()
	if r.Idle != 1 || !slices.ContainsFunc(r.Notes, func(n string) bool {
		return strings.Contains(n, "the client sent nothing for 10m0s, and the connection was closed")
	}) {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(asked, []time.Duration{responder.DefaultIdle}) {
		t.Errorf("timers of %v", asked)
	}
}
