package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func rpcs008() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected, rules.Unpaired), rules.LikelyIf(rules.LostSince.From(rules.Requester)), rules.DetailIf(rules.BeganLate)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(0, rpc008)},
	}
}

// rpc008 looks whether the call and the reply can be read to their ends.
func rpc008(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || c.Opaque(r) || c.RolesKnown && r.Reverse() {
		return
	}
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m == nil || !readable008(c, r, m) || chunked008(r, m) || !values.IsCompound(r.CallHeader()) && m.Fits() {
			continue
		}
		b := m.Body() // of a COMPOUND in any case: RPC-011 asks for it
		switch {
		case b == nil || b.Dropped:
		case b.Fault.Bad() && b.Cut:
			malformed008(c, r, m, b, report)
		case !b.Fault.Bad() && b.Left > 0:
			if f := report.Part("b", r, m, ""); f != nil {
				f.Messagef("%d bytes are left over after the %s of the %s", b.Left, content(r, m), b.Binding.Label())
				f.See("bytes left over", b.Left, 0).Body(m, b, len(b.Bytes)-b.Left, b.Left)
			}
		}
	}
}

// readable008 reports whether all of a message is there, and it is of the RPC.
func readable008(c *rules.Conn, r *dissect.RPC, m *dissect.Message) bool {
	if !c.Sound(m) || !m.HasRPC || m.RPCFault().Bad() {
		return false
	}
	if m == r.Call {
		n, long := m.Header.PositionZero()
		return !long || n <= rpcrdma.MaxLong && r.Offer.Front(rpcrdma.ForRead) >= n
	}
	if m.ReplyHeader.Fault.Bad() || !c.Paired(r) {
		return false
	}
	n := m.Header.ChunkLength(m.Header.Reply)
	return m.Transfer != dissect.Long || n <= rpcrdma.MaxLong && r.Offer.Front(rpcrdma.ForReply) >= n
}

// chunked008 reports whether an item of a message may have travelled in a chunk.
func chunked008(r *dissect.RPC, m *dissect.Message) bool {
	call := &r.Call.Header
	if m == r.Call {
		return len(call.Reads) > 0 && m.Transfer != dissect.Long || call.NumReadChunks() > 1
	}
	return len(call.Writes)+len(m.Header.Writes) > 0 || m.Transfer != dissect.Long && m.Header.ChunkLength(m.Header.Reply) > 0
}

// malformed008 reports a message that ends too early.
func malformed008(c *rules.Conn, r *dissect.RPC, m *dissect.Message, b *dissect.Body, report rules.Reporter) {
	f := report.Part("", r, m, c.DoubtOf(r.Requester, r.Call.Frame())) // another call with the XID may be missing
	if f == nil {
		return
	}
	why := ""
	if n, room := m.Header.ChunkLength(m.Header.Reply), r.Call.Header.ChunkLength(r.Call.Header.Reply); m == r.Reply && m.Transfer == dissect.Long && n == room {
		why = ", with the last byte of the Reply chunk: the message was truncated to fit"
	} else if l, known := setup.LimitOf(c, m.From); known && m.Transfer != dissect.Long && m.Length == l.Bytes {
		why = ", with the last byte that the inline threshold allows: the message was truncated to fit"
	}
	f.Messagef("the %s of the %s end in the middle of an item, at byte %d of %d%s", content(r, m), b.Binding.Label(), b.Fault.Offset, len(b.Bytes), why)
	f.See("bytes", len(b.Bytes), nil)
	if at := min(b.Fault.Offset, len(b.Bytes)); at < len(b.Bytes) {
		f.Body(m, b, at, len(b.Bytes)-at)
	}
}

// content is what of an RPC a message has, for a person.
func content(r *dissect.RPC, m *dissect.Message) string {
	if m == r.Call {
		return "arguments"
	}
	return "results"
}
