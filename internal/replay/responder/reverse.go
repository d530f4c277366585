package responder

import (
	"context"
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A reverseCall is a reverse-direction call (RFC 8167) that waits for the client's reply.
type reverseCall struct{ call *script.Call }

// callBack sends the reverse-direction calls that came next in the capture after a reply, if the client
// has made a session over which it can be called.
func (s *session) callBack(ctx context.Context, after *entry) error {
	s.mu.Lock()
	if s.callable {
		for ; s.called < len(s.reverseCalls); s.called++ {
			c := s.reverseCalls[s.called]
			if c.Request.Order > s.until(after) {
				break
			}
			s.due = append(s.due, c)
		}
	}
	s.mu.Unlock()
	return s.callDue(ctx)
}

// callDue sends the reverse-direction calls that are due, as long as no more are open than were in the
// capture: a client that is slower to answer grants no more than the captured one did.
func (s *session) callDue(ctx context.Context) error {
	for len(s.due) > 0 && len(s.calling) <= s.openWith(s.due[0]) {
		c := s.due[0]
		s.due = s.due[1:]
		rewrite := wire.Rewrite{XID: c.Request.Header.XID, KeepCredits: true, RPC: append([]byte(nil), c.Request.Inline()...)}
		if s.program != 0 && len(rewrite.RPC) >= 16 {
			binary.BigEndian.PutUint32(rewrite.RPC[12:], s.program) // which the client has chosen
		}
		s.calling[c.Request.Header.XID] = &reverseCall{c}
		s.count(func(r *Report) { r.ReverseCalls++ })
		if err := s.send(ctx, rewrite.Append(nil, c.Request), nil); err != nil {
			return err
		}
	}
	return nil
}

// openWith is how many reverse-direction calls were open in the capture when one was sent.
func (s *session) openWith(c *script.Call) (n int) {
	for _, before := range s.reverseCalls {
		if before.Request.Order < c.Request.Order && (before.Reply == nil || before.Reply.Order > c.Request.Order) {
			n++
		}
	}
	return n
}

// until is the place in the capture of the client's next call after an entry: a backward
// call before that is due now.
func (s *session) until(e *entry) int {
	if e.place+1 < len(s.matcher.entries) {
		return s.matcher.entries[e.place+1].call.Request.Order
	}
	return int(^uint(0) >> 1)
}

// answered takes the client's reply to a reverse-direction call.
func (s *session) answered(ctx context.Context, in *incoming) error {
	c := s.calling[in.header.XID]
	if c == nil {
		s.note("the client answered XID 0x%08x, which was never called", in.header.XID)
		return nil
	}
	delete(s.calling, in.header.XID)
	var reply rpc.Reply
	reply.Decode(in.bytes)
	captured := c.call.Answer
	s.count(func(r *Report) { r.ReverseAnswered++ })
	if reply.Fault.Bad() || c.call.HasAnswer && reply.Status() != captured.Status() {
		s.note("%s: the client answered %s, the captured client %s", c.call.Name, reply.Status(), captured.Status())
	}
	return s.callDue(ctx)
}

// credits are what the captured server granted last.
func (s *Server) credits() uint32 {
	for _, e := range s.matcher.entries {
		if r := e.call.Reply; r != nil && r.Header.Version == rpcrdma.Version1 {
			return max(r.Header.Credits, 1)
		}
	}
	return 32
}
