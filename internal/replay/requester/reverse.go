package requester

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// called answers a call of the server (RFC 8167): with the captured reply to such a call, if
// there is one.
func (r *run) called(message []byte) error {
	h := &r.header
	data := message[h.Length:]
	var call rpc.Call
	call.Decode(data)
	b := ReverseCall{XID: h.XID, Procedure: call.Procedure, Name: rpc.CallbackProcedureName(call.Procedure)}
	reply, credits := r.reverseReply(&b, &call, data)
	r.result.ReverseCalls = append(r.result.ReverseCalls, b)
	if err := r.post(wire.Plain(h.XID, credits, reply)); err != errLater {
		return err
	}
	return nil // the send queue is full, and the server has to ask again
}

// reverseReply makes the reply, and the credits that it grants.
func (r *run) reverseReply(b *ReverseCall, call *rpc.Call, data []byte) (reply []byte, credits uint32) {
	live := bind.Message{Bytes: data, Program: call.Program, Version: call.Version, Procedure: call.Procedure, Reverse: true}
	like := r.takeReverse(call, live)
	switch {
	case like != nil && r.o.Binder != nil:
		asked, _ := like.Message()
		answered, _ := like.Result()
		m, n := bindMessage(like, asked), bindMessage(like, answered)
		if rewritten, err := r.o.Binder.Answer(m, n, live); err == nil {
			b.Answer = "as captured, bound"
			return rewritten.Bytes, like.Reply.Header.Credits
		}
	case like != nil:
		answered, _ := like.Result()
		b.Answer = "as captured"
		reply = slices.Clone(answered)
		wire.SetXID(reply, like.XID, b.XID)
		return reply, like.Reply.Header.Credits
	}
	if r.o.Binder != nil {
		if made, err := r.o.Binder.Acknowledge(live); err == nil {
			b.Answer = "made up"
			return made, reverseCredits
		}
	}
	status := rpc.SystemErr
	if call.Procedure == 0 {
		status = rpc.Success
	}
	b.Answer = status.String()
	return accepted(rpcXID(data), status), reverseCredits
}

// rpcXID is the XID that an RPC message begins with.
func rpcXID(data []byte) uint32 {
	if len(data) < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(data)
}

// takeReverse is the first captured reverse-direction call of a procedure, with a reply, that was
// not used so far, and that with a binder has the same operations; nil if there is none.
func (r *run) takeReverse(call *rpc.Call, live bind.Message) *script.Call {
	for i, c := range r.reverseCalls {
		if c.HasHeader && c.Header.Procedure == call.Procedure && c.HasAnswer && c.Reply.Missing == "" && c.Reply.Header.Proc == rpcrdma.RDMAMsg {
			if data, _ := c.Message(); r.o.Binder != nil && !r.o.Binder.SameOperations(bindMessage(c, data), live) {
				continue
			}
			r.reverseCalls = slices.Delete(r.reverseCalls, i, i+1)
			return c
		}
	}
	return nil
}
