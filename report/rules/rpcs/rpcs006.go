package rpcs

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.Malformed|rules.OtherXID|rules.OtherProcedure, malformed), rules.OnRPC(rules.WithoutInline|rules.Refused, rpc006)},
	}
}

func rpc006(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	malformedLong(c, report, r)
	refused(c, report, r)
}

// malformed judges the inline RPC header of a message.
func malformed(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if c.Cut(m) || m.Header.Fault.Bad() || m.Header.Proc != rpcrdma.RDMAMsg && m.Header.Proc != rpcrdma.RDMAMsgP {
		return
	}
	if xid, ok := xdr.WordAt(m.Inline(), 0); ok && xid != m.Header.XID {
		return // HDR-004: what follows the header may be no RPC message at all
	}
	if fault := m.RPCFault(); fault.Bad() {
		if m.Length-m.Header.Length < 8 {
			return // HDR-005
		}
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the RPC header of a message from the %s is malformed: %s", c.Sender(m.From), fault.Reason)
			f.See("byte of the Send", fault.Offset, nil).Word(m, fault.Offset)
		}
		return
	}
	const atType, lastType = 4, 1 // msg_type: CALL or REPLY
	if b := m.Inline(); len(b) >= 8 {
		if t := binary.BigEndian.Uint32(b[atType:]); t > lastType {
			if f := report.Message("b", m, ""); f != nil {
				f.Messagef("a message from the %s is neither a call nor a reply", c.Sender(m.From))
				f.See("msg_type", t, nil).Word(m, m.Header.Length+atType)
			}
		}
	}
}

// malformedLong judges the RPC headers of long messages.
func malformedLong(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	if !r.Complete {
		return
	}
	// A responder that refuses a call with RDMA_ERROR need not have read all of it.
	length, _ := r.Call.Header.PositionZero()
	if m := r.Call; m.Transfer == dissect.Long && m.CallHeader.Fault.Bad() && r.Offer.Front(rpcrdma.ForRead) >= length {
		if f := report.Part("b", r, m, ""); f != nil {
			f.Messagef("the RPC header of a Long Call is malformed: %s", m.CallHeader.Fault.Reason)
			f.See("byte of the RPC message", m.CallHeader.Fault.Offset, nil)
		}
	}
	if m := r.Reply; m.Transfer == dissect.Long && m.ReplyHeader.Fault.Bad() {
		if f := report.Part("b", r, m, ""); f != nil {
			f.Messagef("the RPC header of a Long Reply is malformed: %s", m.ReplyHeader.Fault.Reason)
			f.See("byte of the RPC message", m.ReplyHeader.Fault.Offset, nil)
		}
	}
}

// A refusal is what reports the findings about replies that refuse a call apart.
type refusal struct {
	denied    bool
	reject    rpc.RejectStat
	accept    rpc.AcceptStat
	low, high uint32
	program   uint32
}

// refused judges a reply that says that the call was not executed.
func refused(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	h := r.ReplyHeader()
	if h == nil || !h.Denied && (h.Accept == rpc.Success || h.Accept == rpc.GarbageArgs) {
		return
	}
	if h.Denied && h.Reject == rpc.AuthError {
		return // SYM-005
	}
	kind := refusal{denied: h.Denied, reject: h.Reject, accept: h.Accept, low: h.Low, high: h.High}
	if call := r.CallHeader(); call != nil {
		kind.program = call.Program
	}
	f := report.Key(kind).RPC("", r, "")
	if f == nil {
		return
	}
	who := c.Sender(r.Reply.From)
	words := 1
	switch {
	case h.Denied:
		f.Messagef("the %s denied a call: %s, it supports %s of RPC", who, h.Reject, rules.Versions(h.Low, h.High))
		f.See("reject_stat", h.Reject.String(), nil)
		words = 3
	case h.Accept == rpc.ProgMismatch:
		f.Messagef("the %s did not execute a call: %s, it supports %s", who, h.Accept, rules.Versions(h.Low, h.High))
		f.See("accept_stat", h.Accept.String(), rpc.Success.String())
		words = 3
	default:
		f.Messagef("the %s did not execute a call: %s", who, h.Accept)
		f.See("accept_stat", h.Accept.String(), rpc.Success.String())
	}
	if r.Reply.Transfer != dissect.Long {
		f.In(r.Reply, r.Reply.Header.Length+h.Length-4*words, 4*words)
	}
}
