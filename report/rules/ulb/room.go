package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// cbGetattrRequest are the attributes that a server asks for.
const cbGetattrRequest = "CB_GETATTR4args.attr_request"

// rooms tells how much a connection's messages have room for.
type rooms struct {
	c     *rules.Conn
	heard *setup.Heard
}

func roomsOf(c *rules.Conn) rooms { return rooms{c, setup.HeardOf(c)} }

// threshold is the inline threshold for what an end sends about a call: what it was when
// the call was sent in version 2, where it may change.
func (s *rooms) threshold(from flow.End, call *dissect.Message) (octets int, known bool) {
	if call.Header.Version == rpcrdma.Version2 {
		l, known := s.heard.LimitAt(rpcrdma.Version2, from, call.Frame(), call.Last)
		return l.Octets, known
	}
	t, known := s.c.Thresholds()
	if from == s.c.ClientEnd {
		return t.ToServer, known
	}
	return t.ToClient, known
}

// announced reports whether an end of version 2 announced before a call of its peer which
// such calls it takes, or may have announced it.
func (s *rooms) announced(e flow.End, call *dissect.Message) bool {
	if call.Header.Version != rpcrdma.Version2 {
		return false
	}
	x, said := s.c.Characteristics(e).At(rpcrdma.XcharBRS, call.Frames[0], call.First)
	return said && (!x.Known || rpcrdma.BackwardSupport(x.Value) != rpcrdma.BackwardUnknown)
}

// inline is how many octets of an RPC message a reply to the call has room for.
func (s *rooms) inline(r *dissect.RPC) (octets uint64, known bool) {
	limit, known := s.threshold(r.Requester.Peer(), r.Call)
	return uint64(max(0, limit-r.Call.Header.LeastSize())), known
}

// reply is how many octets of results fit in a reply to the call: inline or in the
// Reply chunk, whichever is more. It is known only with the inline threshold.
func (s *rooms) reply(r *dissect.RPC) (octets uint64, known bool) {
	octets, known = s.inline(r)
	reply, _ := room(&r.Call.Header)
	return max(reply, octets), known
}
