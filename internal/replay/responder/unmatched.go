package responder

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An Unmatched says what is done about calls that match none of the capture.
type Unmatched int

// RPCError answers that the procedure, version or program is not there (RFC 5531, section 9):
// a client gives up soon. Stall does not answer, Disconnect ends the connection.
const (
	RPCError Unmatched = iota
	Stall
	Disconnect
)

var unmatchedNames = [...]string{RPCError: "error", Stall: "stall", Disconnect: "disconnect"}

func (u Unmatched) String() string { return unmatchedNames[u] }

// ParseUnmatched reads the name of a choice.
func ParseUnmatched(name string) (Unmatched, error) {
	for u, n := range unmatchedNames {
		if n == name {
			return Unmatched(u), nil
		}
	}
	return 0, fmt.Errorf("unknown value %q: use error, stall or disconnect", name)
}

// What RFC 5531, section 9, has: the version of RPC, and MSG_DENIED.
const (
	rpcVersion = 2
	denied     = 1
)

var errUnmatched = errors.New("a call has no match in the capture")

// unmatched answers a call that matches none, or one that the captured server did not answer.
func (s *session) unmatched(ctx context.Context, in *incoming, live *reading, e *entry) error {
	why := ""
	if e != nil {
		why = " (the capture has no reply to it)"
	}
	s.count(func(r *Report) { r.unmatched(live.name + why) })
	switch {
	case e != nil || s.options.Unmatched == Stall:
		return nil
	case s.options.Unmatched == Disconnect:
		return fmt.Errorf("%w: %s", errUnmatched, live.name)
	}
	s.mu.Lock()
	it, thisVersion, low, high := s.matcher.has(live.header.Program, live.header.Version)
	s.mu.Unlock()
	reply := words(1, 0, 0, 0)
	switch {
	case live.header.RPCVersion != rpcVersion:
		reply = words(1, denied, uint32(rpc.RPCMismatch), rpcVersion, rpcVersion)
	case live.header.Fault.Bad():
		reply = append(reply, words(uint32(rpc.GarbageArgs))...)
	case !it:
		reply = append(reply, words(uint32(rpc.ProgUnavail))...)
	case !thisVersion:
		reply = append(reply, words(uint32(rpc.ProgMismatch), low, high)...)
	default:
		reply = append(reply, words(uint32(rpc.ProcUnavail))...)
	}
	return s.answer(ctx, in, reply)
}

// answer sends an RPC reply that is given without its XID, and uses none of the memory that the call
// offers.
func (s *session) answer(ctx context.Context, in *incoming, reply []byte) error {
	h := &in.header
	back := rpcrdma.Header{XID: h.XID, Writes: h.Writes, HasReply: h.HasReply, Reply: h.Reply, Segments: append([]rpcrdma.Segment(nil), h.Segments...)}
	for i := range back.Segments {
		back.Segments[i].Length = 0
	}
	message := append(header(&back, s.credits(), rpcrdma.RDMAMsg), words(xidOf(in.bytes))...)
	return s.send(ctx, append(message, reply...), nil)
}
