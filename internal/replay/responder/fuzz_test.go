package responder_test

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// What a stranger reports that it receives, the memory that all strangers may have the server hold,
// and how much of it may be registered at once.
const (
	strangerInline = 4096
	memoryLimit    = 4 << 20
	registerLimit  = 256 << 10
)

// A stranger is a client that sends what the bytes of a fuzz target's input say.
type stranger struct {
	t *testing.T
	transport.Connection
	say  []byte
	sent map[uint32]bool // XIDs
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

// message makes a captured message one of this connection: with memory that is there for its
// segments, or as captured, and with other bytes.
func (s *stranger) message(m *script.Message) []byte {
	w := wire.Rewrite{XID: uint32(s.next()), Credits: 32}
	how := s.next()
	if how&1 == 0 {
		for _, g := range append(readSegments(&m.Header), m.Header.Segments...) {
			g.Length = min(g.Length, 64<<10)
			r, err := s.Register(max(1, int(g.Length)), transport.Registration{Access: transport.RemoteRead | transport.RemoteWrite})
			if err != nil {
				break // the connection has ended
			}
			w.Segments = append(w.Segments, rpcrdma.Segment{Handle: r.Handle(), Length: g.Length, Offset: r.Offset()})
		}
	}
	b := w.Append(nil, m)
	for range how >> 1 & 3 {
		if at := int(s.next()) + int(s.next()%2)*256; at < len(b) {
			b[at] = s.next()
		}
	}
	if how&0x80 != 0 {
		b = b[:int(s.next())*len(b)/256]
	}
	return b
}

func readSegments(h *rpcrdma.Header) (list []rpcrdma.Segment) {
	for _, r := range h.Reads {
		list = append(list, r.Segment)
	}
	return list
}

// drain takes what came: each message decodes, answers what was sent or is a call of the server,
// and is no longer than the client receives.
func (s *stranger) drain() (stays bool) {
	synctest.Wait()
	now, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		done, err := s.Next(now)
		if err != nil {
			return err == context.Canceled
		}
		if done.Operation != transport.OpReceive {
			continue
		}
		var h rpcrdma.Header
		if !h.Decode(done.Message) || len(done.Message) > strangerInline {
			s.t.Errorf("%d bytes came: %v", len(done.Message), h.Fault)
		}
		if inline := done.Message[h.Length:]; !s.sent[h.XID] && !(len(inline) >= 8 && inline[7] == 0) {
			s.t.Errorf("a reply with the XID %#x, which was not sent", h.XID)
		}
		if s.Repost(done) != nil {
			return false
		}
	}
}

// FuzzServe has strangers call a captured server, one after the other. It holds no more memory
// than its limit, what it sends is sound, and when they have left it holds nothing.
func FuzzServe(f *testing.F) {
	var conversations []*script.Conversation
	for _, x := range []struct {
		name       string
		connection int
	}{{"rxe-cb", 2}, {"rxe-thresh", 0}} {
		n := 0
		conversations = append(conversations, replaytest.Sample(f, x.name, script.Options{Connection: x.connection, Select: func(*dissect.RPC) bool { n++; return n <= 30 }}))
	}
	for i, c := range conversations {
		all := []byte{byte(len(c.Messages))}
		for j := range min(len(c.Messages), 40) {
			all = append(all, byte(j), byte(j), 0)
		}
		f.Add(byte(i), all)
		f.Add(byte(i), []byte{3, 0, 1, 0, 2, 2, 4, 30, 0, 9, 50, 1, 7, 4, 3, 0x80, 100})
		f.Add(byte(i), []byte{2, 6, 5, 1, 8, 6, 2, 20, 0, 255, 2, 9, 9, 0, 10, 11, 4, 12, 0, 1, 13, 0, 2})
	}
	spec, err := nfs.Spec()
	replaytest.Must(f, err)
	f.Fuzz(func(t *testing.T, which byte, say []byte) {
		if len(say) > 256 {
			return
		}
		c := conversations[int(which)%len(conversations)]
		synctest.Test(t, func(t *testing.T) { called(t, c, []*types.Spec{spec}, say) })
	})
}

// called plays the server of a conversation to strangers.
func called(t *testing.T, c *script.Conversation, specs []*types.Spec, say []byte) {
	f := fabric.New(fabric.SoftRoCE())
	server, err := responder.New(c, responder.Options{
		Specs: specs, Limits: responder.Limits{Memory: memoryLimit, MaxRegistered: registerLimit},
	})
	replaytest.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	listening, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- server.Serve(ctx, f, at, func(netip.AddrPort) { close(listening) }) }()
	<-listening
	messages := 0
	for len(say) > 0 {
		conn, err := f.Dial(t.Context(), at, transport.Options{PrivateData: build.PrivateData(strangerInline, strangerInline, say[0]&1 != 0), SendSize: 1 << 14})
		replaytest.Must(t, err)
		s := &stranger{t: t, Connection: conn, say: say, sent: make(map[uint32]bool)}
		for n := s.next(); n > 0 && len(s.say) > 0; n-- {
			b := s.message(c.Messages[int(s.next())%len(c.Messages)])
			var h rpcrdma.Header
			h.Decode(b)
			s.sent[h.XID] = true
			if s.Send(uint64(n), b) != nil {
				break // the server has ended the connection
			}
			messages++
			stays := s.drain()
			if held := server.Held(); held > memoryLimit || held < 0 {
				t.Errorf("%d bytes are held of %d", held, memoryLimit)
			}
			if !stays {
				break
			}
		}
		say = s.say
		replaytest.Must(t, conn.Close())
		synctest.Wait()
	}
	if held := server.Held(); held != 0 {
		t.Errorf("all have left, and %d bytes are held", held)
	}
	stop()
	replaytest.Must(t, <-ended)
	if n := f.Left(); n != 0 {
		t.Errorf("%d connections and listeners are left", n)
	}
	r := server.Report()
	if r.Calls > messages || r.Unused > r.Captured || r.UnmatchedCalls() > r.Calls || r.Again > r.Calls {
		t.Errorf("%d messages were sent: %+v", messages, r)
	}
	for _, e := range f.Events() {
		if (e.Kind == fabric.Read || e.Kind == fabric.Write) && len(e.Bytes) > registerLimit {
			t.Errorf("%v: the limit is %d", e, registerLimit)
		}
	}
}
