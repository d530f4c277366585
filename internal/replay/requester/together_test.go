package requester_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// A crowd serves the connections of several conversations, each by a server of its own, in the order
// in which they are made. It notes the calls as they come.
type crowd struct {
	mu    sync.Mutex
	calls []arrival
	// rejected is the index of a connection that is not accepted, if refuses.
	rejected int
	refuses  bool
	// own answers the replay's own calls, in place of telling the root.
	own func(call []byte) []byte
	// made is when each connection was asked for.
	made []time.Time
}

// An arrival is a call that came, on the connection of an index.
type arrival struct {
	of   int
	call *script.Call
	xid  uint32
	rpc  string // without the XID
}

func (x *crowd) serve(t *testing.T, f *fabric.Fabric, of []*script.Conversation) netip.AddrPort {
	t.Helper()
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() {
		for i := range of {
			ask, err := l.Next(ctx)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			x.made = append(x.made, time.Now())
			if x.refuses && i == x.rejected {
				if err := ask.Reject(nil); err != nil {
					t.Error(err)
				}
				continue
			}
			c, err := ask.Accept(ctx, transport.Options{PrivateData: wire.PrivateData(4096, 4096, false), Receives: 64})
			if err != nil {
				t.Error(err)
				return
			}
			s := &server{t: t, calls: forward(of[i]), root: []byte("the root")}
			if x.own != nil {
				s.root, s.own = nil, x.own
			}
			s.saw = func(n int, h *rpcrdma.Header, rpc []byte) {
				x.mu.Lock()
				defer x.mu.Unlock()
				x.calls = append(x.calls, arrival{i, s.calls[n], h.XID, string(rpc[min(4, len(rpc)):])})
			}
			served.Go(func() {
				s.serve(ctx, c) // until the client leaves
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		served.Wait()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if n := f.Left(); n != 0 {
			t.Errorf("%d connections and listeners are left", n)
		}
	})
	return l.Addr()
}

// together replays conversations at once.
func together(t *testing.T, of []*script.Conversation, o requester.Options) (*fabric.Fabric, *crowd, []*requester.Result) {
	t.Helper()
	return togetherWith(t, new(crowd), of, o)
}

func togetherWith(t *testing.T, x *crowd, of []*script.Conversation, o requester.Options) (*fabric.Fabric, *crowd, []*requester.Result) {
	t.Helper()
	o.Immediately = true
	p, err := requester.NewTogether(of, o)
	if err != nil {
		t.Fatal(err)
	}
	f := fabric.New(fabric.SoftRoCE())
	list, err := requester.RunTogether(replaytest.Patience(t), f, x.serve(t, f, of), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(of) {
		t.Fatalf("%d results of %d connections", len(list), len(of))
	}
	return f, x, list
}

// TestTogether replays the connections of a real capture, which come one after the other there: each is closed before
// the next is made, and every reply is as captured.
func TestTogether(t *testing.T) {
	t.Parallel()
	of, _ := replaytest.Samples(t, "rxe-basic", script.Options{}, 4)
	f, x, list := together(t, of, requester.Options{})
	for i, r := range list {
		if r.Connection != i+1 || !r.Same() || r.Counts().Answered != len(forward(of[i])) {
			t.Errorf("connection %d: ended %v, %+v", r.Connection, r.Ended, r.Counts())
		}
	}
	at := 0
	for _, a := range x.calls {
		if a.of < at {
			t.Fatalf("a call of connection %d came behind one of %d", a.of+1, at+1)
		}
		at = a.of
	}
	var ends []int
	for _, e := range f.Events() {
		if e.Kind == fabric.Leave || e.Kind == fabric.Ask {
			ends = append(ends, e.Connection)
		}
	}
	if !slices.IsSorted(ends) || len(ends) < 2*len(of) {
		t.Errorf("connections were made and left in the order %v", ends)
	}
}

// TestTogetherInOrder has the calls of two connections come in turns, as they are captured, each after the reply to
// the one before on the other connection.
func TestTogetherInOrder(t *testing.T) {
	t.Parallel()
	of, _ := replaytest.Samples(t, "rxe-basic", script.Options{}, 4)
	of = of[2:]
	for i, c := range of {
		c.Closed = 0
		for j, m := range c.Messages {
			m.Order = 4*(j/2) + 2*i + j%2 // call and reply of one, then of the other
		}
	}
	_, x, list := together(t, of, requester.Options{})
	for _, r := range list {
		if !r.Same() {
			t.Errorf("connection %d: ended %v, %+v", r.Connection, r.Ended, r.Counts())
		}
	}
	changes := 0
	for i, a := range x.calls {
		if i > 0 && a.of != x.calls[i-1].of {
			changes++
		}
		for _, b := range x.calls[i+1:] {
			if b.call.Reply.Order < a.call.Request.Order {
				t.Fatalf("a call of connection %d came before one of connection %d, whose reply it followed in the capture", a.of, b.of)
			}
		}
	}
	if changes < 100 {
		t.Errorf("the calls of one connection followed one of the other %d times", changes)
	}
}

// TestReconnect has a client connect anew with a call open, and send it again: by the same XID and bytes, since that is
// what a server's duplicate request cache knows it by, when the first connection has ended.
func TestReconnect(t *testing.T) {
	t.Parallel()
	for _, bind := range []bool{false, true} {
		first, second, repeated := reconnected(t)
		o := requester.Options{}
		if bind {
			o = bound(t)
		}
		f, x, list := together(t, []*script.Conversation{first, second}, o)
		n := len(forward(first))
		if !list[0].Same() || !list[1].Same() || list[0].Counts().Closed != 1 || list[0].Counts().NoReply != 1 || list[1].Counts().Closed != 0 {
			t.Errorf("%+v, and %+v", list[0].Counts(), list[1].Counts())
		}
		lost, again := list[0].Exchanges[n-1], list[1].Exchanges[0]
		if !lost.Closed || lost.Retransmission || !again.Retransmission || again.Call != repeated || lost.XID != again.XID || len(again.Notes) != 1 {
			t.Errorf("%+v, and again %+v", lost, again)
		}
		slices.SortStableFunc(x.calls, func(a, b arrival) int { return a.of - b.of }) // the server may look at that of the second first
		if a, b := x.calls[n-1], x.calls[n]; a.xid != b.xid || a.rpc != b.rpc || a.of != 0 || b.of != 1 {
			t.Errorf("%08x on connection %d is sent again as %08x on %d; the same bytes: %v", a.xid, a.of, b.xid, b.of, a.rpc == b.rpc)
		}
		seen := make(map[uint32]int)
		for _, a := range x.calls {
			seen[a.xid]++
		}
		if len(seen) != len(x.calls)-1 {
			t.Errorf("%d XIDs of %d calls, of which one is sent twice", len(seen), len(x.calls))
		}
		left := slices.IndexFunc(f.Events(), func(e fabric.Event) bool { return e.Kind == fabric.Leave })
		if made := slices.IndexFunc(f.Events(), func(e fabric.Event) bool { return e.Kind == fabric.Ask && e.Connection == 2 }); left < 0 || left > made {
			t.Errorf("the first connection was left at event %d, and the second made at %d", left, made)
		}
	}
}

// reconnected are the halves of a real conversation, as if the first had ended before one of its calls was answered,
// and that call as it is retransmitted on the second.
func reconnected(t *testing.T) (first, second *script.Conversation, repeated *script.Call) {
	t.Helper()
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	at := slices.IndexFunc(c.Calls, func(call *script.Call) bool { return call.Name == "NFS3 REMOVE" })
	if at < 0 {
		t.Fatal("the sample has no REMOVE")
	}
	repeated = c.Calls[at]
	behind := slices.Index(c.Messages, repeated.Request)
	one, two := *c, *c
	one.Calls, two.Calls = slices.Clone(c.Calls[:at+1]), c.Calls[at:]
	one.Messages, two.Messages = slices.Clone(c.Messages[:behind+1]), c.Messages[behind:]
	call, request := *repeated, *repeated.Request
	call.Request, call.Reply, request.Call = &request, nil, &call
	one.Calls[at], one.Messages[behind] = &call, &request
	two.ID, one.Closed = 2, 0
	for i, call := range two.Calls {
		call.Index = i
	}
	return &one, &two, repeated
}

// TestTogetherUnreachable holds what becomes of the others where one connection cannot be made, and what is reported where
// none can.
func TestTogetherUnreachable(t *testing.T) {
	t.Parallel()
	of, _ := replaytest.Samples(t, "rxe-basic", script.Options{}, 3)
	_, _, list := togetherWith(t, &crowd{refuses: true, rejected: 1}, of, requester.Options{})
	if !list[0].Same() || list[1].Ended == nil || list[1].Counts().NotSent != len(forward(of[1])) || !list[2].Same() {
		t.Errorf("ended %v, %v and %v", list[0].Ended, list[1].Ended, list[2].Ended)
	}
	var text, lines strings.Builder
	if err := errors.Join(requester.WriteText(&text, list...), requester.WriteJSON(&lines, false, list...)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "\nconnection 2: the connection could not be made: ") || !strings.Contains(lines.String(), `"connection":2,"device":"","iwarp":false,"local":"","server":"",`) {
		t.Errorf("%s\n%s", &text, &lines)
	}
	p, err := requester.NewTogether(of, requester.Options{Immediately: true})
	if err != nil {
		t.Fatal(err)
	}
	f := fabric.New(fabric.SoftRoCE())
	if list, err := requester.RunTogether(t.Context(), f, netip.AddrPortFrom(fabric.ServerAddr, 20049), p); list != nil || err == nil {
		t.Errorf("%v, %v", list, err)
	}
}

// TestTogetherLeftOut holds which connections are not replayed with others, and what a dry run says of it.
func TestTogetherLeftOut(t *testing.T) {
	t.Parallel()
	of, _ := replaytest.Samples(t, "rxe-basic", script.Options{}, 4)
	of[1].Server.Addr = netip.MustParseAddrPort("192.0.2.9:20049")
	of[2].Calls, of[2].Messages = nil, nil
	of[3].Calls[5].Header.Cred.Flavor = rpc.RPCSECGSS
	p, err := requester.NewTogether(of, requester.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.LeaveOut([]script.Other{{ID: 5, Client: "a", Server: "b", Calls: 1}}, "4 are replayed at once")
	var text, lines strings.Builder
	if err := errors.Join(p.WriteText(&text, "192.0.2.1"), p.WriteJSON(&lines, false, "192.0.2.1")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"connection 2 (192.0.2.2:47702 to 192.0.2.9:20049, 153 calls) is left out: it is with another server than connection 1\n",
		"connection 3 (192.0.2.2:37936 to 192.0.2.1:20049, 0 calls) is left out: the client sends no calls on it\n",
		"connection 4 (192.0.2.2:48057 to 192.0.2.1:20049, 129 calls) is left out: frame ", "the call uses RPCSEC_GSS",
		"connection 5 (a to b, 1 call) is left out: 4 are replayed at once\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &text)
		}
	}
	if n := strings.Count(lines.String(), `"why":"`); n != 4 || strings.Count(lines.String(), "\n") != 1 {
		t.Errorf("%d reasons in the record:\n%s", n, &lines)
	}
	if _, err := requester.NewTogether(of[2:], requester.Options{}); err == nil || !strings.Contains(err.Error(), "RPCSEC_GSS") {
		t.Errorf("of none that can be replayed: %v", err)
	}
}
