package requester_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// A stranger is a server that does what the bytes of a fuzz target's input say, one or more for
// each message that it receives, and is honest when there are no more.
type stranger struct {
	server
	say []byte
	at  int // calls that came
}

// next is the next byte, 0 if there is none.
func (s *stranger) next() byte {
	if len(s.say) == 0 {
		return 0
	}
	b := s.say[0]
	s.say = s.say[1:]
	return b
}

// accept serves one connection after another until the context ends.
func (s *stranger) accept(ctx context.Context, l transport.Listener) {
	for {
		ask, err := l.Next(ctx)
		if err != nil {
			return
		}
		c, err := ask.Accept(ctx, transport.Options{PrivateData: s.private, Receives: 64})
		if err != nil {
			return
		}
		s.serve(ctx, c)
		replaytest.Must(s.t, c.Close())
	}
}

// serve serves one connection until either end has enough.
func (s *stranger) serve(ctx context.Context, c transport.Connection) {
	for {
		done, err := c.Next(ctx)
		if err != nil {
			return
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		message := append([]byte(nil), done.Message...)
		if c.Repost(done) != nil {
			return
		}
		var h rpcrdma.Header
		if !h.Decode(message) {
			s.t.Errorf("the client sent a header that is malformed: %v", h.Fault)
			return
		}
		if !s.react(ctx, c, &h) {
			return
		}
	}
}

// react does something about a message, and reports whether the connection is to stay.
func (s *stranger) react(ctx context.Context, c transport.Connection, h *rpcrdma.Header) bool {
	at := min(s.at, len(s.calls)-1)
	call := s.calls[at]
	s.at++
	honest := func() bool {
		return len(call.Segments) == len(segments(h)) && s.answer(ctx, c, at, call, h) == nil
	}
	s.change = nil
	switch s.next() % 10 {
	default:
		return honest()
	case 2: // with other bytes
		s.change = func(_ int, _ *script.Call, reply []byte) ([]byte, bool) {
			for range 1 + s.next()%4 {
				if at := int(s.next()) + int(s.next()%4)*256; at < len(reply) {
					reply[at] = s.next()
				}
			}
			return reply, true
		}
		return honest()
	case 3: // not at all
		return true
	case 4: // twice
		first := honest()
		return first && honest()
	case 5:
		return false
	case 6: // by whatever, with the right XID or not
		n, xid, credits := int(s.next()), h.XID+uint32(s.next()%2), uint32(s.next())
		n = min(n, len(s.say))
		b := wire.Plain(xid, credits, s.say[:n])
		s.say = s.say[n:]
		return c.Send(1, b) == nil
	case 7: // cut short
		s.change = func(_ int, _ *script.Call, reply []byte) ([]byte, bool) {
			return reply[:int(s.next())*len(reply)/256], true
		}
		return honest()
	case 8: // by another's invalidation
		handle := uint32(s.next())
		if list := segments(h); len(list) > 0 {
			handle = list[int(handle)%len(list)].Handle
		}
		return c.SendInvalidate(1, wire.Plain(h.XID, 32, nil), handle) == nil
	case 9: // by a call of its own
		b := wire.Plain(uint32(s.next()), 32, []byte{0, 0, 0, s.next(), 0, 0, 0, 0, 0, 0, 0, 2, 0x40, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, s.next() % 2})
		return c.Send(1, append(b, make([]byte, 16)...)) == nil && honest()
	}
}

// few takes the first calls of a connection out of a capture that ships.
func few(f *testing.F, name string, connection, calls int) *script.Conversation {
	f.Helper()
	n := 0
	return replaytest.Sample(f, name, script.Options{Connection: connection, Select: func(*dissect.RPC) bool { n++; return n <= calls }})
}

// FuzzRun replays real calls to a server that does what strangers want. The replay comes to its
// end, each call has an outcome and a reason, no more is registered than the limit, and nothing
// is left. To a server that only answers as captured, all is the same.
func FuzzRun(f *testing.F) {
	conversations := []*script.Conversation{few(f, "rxe-cb", 2, 24), few(f, "rxe-thresh", 0, 24), few(f, "siw-cb", 2, 24)}
	for i := range conversations {
		f.Add(byte(i), false, []byte{})
		f.Add(byte(i), true, []byte{0, 0, 2, 3, 30, 0, 1, 44, 0, 9, 3, 4, 8, 1})
		f.Add(byte(i), false, []byte{0, 6, 4, 1, 9, 1, 2, 3, 4, 9, 5, 0, 1, 0, 7, 100, 5})
	}
	spec, err := nfs.Spec()
	replaytest.Must(f, err)
	f.Fuzz(func(t *testing.T, which byte, bound bool, say []byte) {
		if len(say) > 256 {
			return
		}
		c := conversations[int(which)%len(conversations)]
		synctest.Test(t, func(t *testing.T) {
			o := requester.Options{FirstXID: 1, MaxRegistered: 1 << 20}
			if bound {
				binder, err := bind.New(bind.Options{OwnerSuffix: "x"}, spec)
				replaytest.Must(t, err)
				o.Binder, o.Compare = binder, binder
			}
			device := fabric.SoftRoCE()
			if c.IWARP {
				device = fabric.SoftIWARP()
			}
			replayTo(t, fabric.New(device), c, o, &stranger{say: say})
		})
	})
}

// replayTo replays a conversation to a stranger.
func replayTo(t *testing.T, f *fabric.Fabric, c *script.Conversation, o requester.Options, s *stranger) {
	honest := len(s.say) == 0 && o.Binder == nil
	s.t, s.calls, s.private = t, forward(c), wire.PrivateData(4096, 4096, true)
	p, err := requester.NewPlan(c, o)
	replaytest.Must(t, err)
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	replaytest.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.accept(ctx, l)
	}()
	r, err := requester.Run(t.Context(), f, l.Addr(), p)
	stop()
	<-ended
	replaytest.Must(t, err)
	replaytest.Must(t, l.Close())
	if n := f.Left(); n != 0 {
		t.Errorf("%d connections and listeners are left", n)
	}
	judge(t, r, len(s.calls), o.MaxRegistered)
	if honest && !r.Same() {
		t.Errorf("an honest server does not answer as captured: %+v", r.Counts())
	}
}

// judge holds what is true of the result of any replay.
func judge(t *testing.T, r *requester.Result, calls int, limit int64) {
	t.Helper()
	n := r.Counts()
	if n.Calls != calls || n.Answered+n.NoReply+n.NotSent != calls || r.Registered > limit || r.Registered < 0 {
		t.Errorf("of %d calls %+v, %d bytes registered of %d", calls, n, r.Registered, limit)
	}
	for i, e := range r.Exchanges {
		if e.Outcome != requester.Answered && e.Why == "" || e.Latency < 0 || e.Outcome == requester.Answered && e.Status == "" && len(e.Differences) == 0 {
			t.Errorf("call %d is %v: why %q, status %q, latency %v", i, e.Outcome, e.Why, e.Status, e.Latency)
		}
	}
	var b strings.Builder
	replaytest.Must(t, requester.WriteText(&b, r))
	if i := strings.IndexFunc(b.String(), func(c rune) bool { return c != '\n' && unicode.IsControl(c) || c == utf8.RuneError }); i >= 0 {
		t.Errorf("a control character at %d of %q", i, b.String())
	}
}
