package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// Results goes over the result in a reply that is in no capture, such as one that a replay
// received: bytes are those of the RPC reply as far as they were no data in Write chunks, of
// which writes are the lengths as they were returned. It is nil if the reply was not
// accepted, if nothing describes the procedure, or if RPCSEC_GSS protects it.
func (b *Bindings) Results(call *rpc.Call, reverse bool, data []byte, writes []uint32) *Body {
	var reply rpc.Reply
	reply.Decode(data)
	if reply.Fault.Bad() || reply.Denied || reply.Accept != rpc.Success || call.Cred.Flavor == rpc.RPCSECGSS {
		return nil
	}
	binding := b.findBinding(call.Program, call.Version, call.Procedure, reverse)
	if binding == nil {
		return nil
	}
	body := &Body{Binding: binding, Bytes: data[reply.Length:], Start: reply.Length}
	body.Reduced = walk.Reduction{Start: uint32(reply.Length), Writes: writes}
	body.Walk(binding.Route(true), body.Bytes, body.Reduced)
	body.Left = len(body.Bytes) - body.Consumed
	return body
}

// Statuses are the operations that a result has, with their statuses; that of a procedure
// without operations is one. The first return value is the status of the whole, "" where
// the result has none.
func (b *Body) Statuses() (status string, ops []Op) {
	ops = b.answer(nil, 0)
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind == walk.Operation {
			break
		}
		if e.Kind == walk.Status {
			status = b.name(e)
			if len(ops) == 0 {
				ops = append(ops, Op{Name: b.Binding.Label(), Program: b.Binding.Version.ProgramName, Status: status, OK: e.OK, Args: -1, Result: -1})
			}
			break
		}
	}
	return status, ops
}
