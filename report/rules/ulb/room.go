package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// cbGetattrRequest are the attributes that a server asks for.
const cbGetattrRequest = "CB_GETATTR4args.attr_request"

// threshold is the inline threshold for what an end sends about a call: what it was when
// the call was sent in version 2, where it may change.
func threshold(c *rules.Conn, from flow.End, call *dissect.Message) (l setup.Limit, known bool) {
	if call.Header.Version == rpcrdma.Version2 {
		return setup.ReceivedOf(c).LimitAt(rpcrdma.Version2, from, call.Frame(), call.Last)
	}
	t, known := c.Thresholds()
	if from == c.ClientEnd {
		return setup.Limit{Bytes: t.ToServer}, known
	}
	return setup.Limit{Bytes: t.ToClient}, known
}

// announced reports whether an end of version 2 announced before a call of its peer which
// such calls it takes, or may have announced it.
func announced(c *rules.Conn, e flow.End, call *dissect.Message) bool {
	if call.Header.Version != rpcrdma.Version2 {
		return false
	}
	x, said := c.Characteristics(e).At(rpcrdma.XcharBRS, call.Frames[0], call.First)
	return said && (!x.Known || rpcrdma.ReverseSupport(x.Value) != rpcrdma.ReverseUnknown)
}

// inline is how many bytes of an RPC message a reply to the call has room for.
func inline(c *rules.Conn, r *dissect.RPC) (size uint64, doubt string, known bool) {
	limit, known := threshold(c, r.Requester.Peer(), r.Call)
	return uint64(max(0, limit.Bytes-r.Call.Header.LeastSize())), limit.Doubt, known
}

// roomForReply is how many bytes of results fit in a reply to the call: inline or in the
// Reply chunk, whichever is more. It is known only with the inline threshold, and as much in
// doubt.
func roomForReply(c *rules.Conn, r *dissect.RPC) (size uint64, doubt string, known bool) {
	size, doubt, known = inline(c, r)
	reply, _ := room(&r.Call.Header)
	return max(reply, size), doubt, known
}
