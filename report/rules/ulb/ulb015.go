package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb015() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Uncalled, rules.Cut),
			rules.LikelyIf(rules.BeganLate).In("a"),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Client), rules.AnyCut).Of("long callbacks of version 2"),
			rules.LikelyIf(rules.Lossy.From(rules.Client)).Of("long callbacks of version 2"),
			rules.SilentIf(rules.Protected).In("bc"),
		},
		Fields: append(sessionFields(), cbGetattrRequest),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{creating(), setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.ReverseDirection, rpc015), rules.OnPublished(compare015)},
	}
}

func rpc015(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if !callback(c, r) || !c.Sound(r.Call) || !c.Called(r) {
		return
	}
	h := &r.Call.Header
	_, long := h.PositionZero()
	b := values.Walked(c, r.Call)
	if long || h.HasReply && h.ChunkLength(h.Reply) > 0 {
		long015(c, r, b, long)
	}
	if b == nil || called(c, r) == nil || r.CallHeader().Procedure != numbers.ProcCompound {
		return
	}
	if v, ok := values.MinorVersion(b); ok && v == 0 {
		if f := report.Part("b", r, r.Call, ""); f != nil {
			f.Messagef("the server sends a callback of minor version 0 over the connection").See("minorversion", v, nil)
		}
	}
	for i := values.Next(b, 0, numbers.OpCBGetattr); i >= 0 && !h.HasReply; i = values.Next(b, i+1, numbers.OpCBGetattr) {
		if name := size.UnboundedIn(b, all(c).callbackAttributes.In(b, values.Within(b, i))); name != "" {
			if f := report.Part("c", r, r.Call, ""); f != nil {
				f.Messagef("CB_GETATTR requests %s, which has no limit, and the call offers no Reply chunk", name)
				f.See("attr_request", name, "attributes of a known size")
				f.Body(r.Call, b, int(b.Events[i].Offset), xdr.WordSize)
			}
		}
	}
}

// longCallback is one that has a Position-Zero Read chunk or a Reply chunk.
type longCallback struct {
	about  *rules.About
	what   string    // it has
	own    sessionID // its session, if it is known by hasOwn
	hasOwn bool
	newest *session    // the one that was created on the connection last, nil if none was
	limit  setup.Limit // the inline threshold, if it is known
	known  bool
}

func long015(c *rules.Conn, r *dissect.RPC, b *dissect.Body, call bool) {
	if announced(c, r.Requester.Peer(), r.Call) {
		return // what a client of version 2 says of itself counts, and is XCHAR-011's
	}
	x := longCallback{about: rules.AboutPart(r, r.Call), what: "a Reply chunk"}
	x.limit, x.known = threshold(c, r.Requester, r.Call)
	if !x.known && r.Call.Header.Version == rpcrdma.Version2 {
		return // it may have said so
	}
	if call {
		x.what = "a Position-Zero Read chunk"
		x.about.ReadSegment(r.Call, 0)
	} else {
		x.about.ReplyChunk(r.Call)
	}
	if k := state.IfAny(c); k != nil {
		x.newest = k.newest
	}
	if b != nil {
		q, ok := sequenceOf(b)
		x.own, x.hasOwn = q.session, ok
	}
	rules.Publish(c, x)
}

// compare015 compares with the session of the callback.
func compare015(e *rules.ConnRef, x *longCallback, report rules.Reporter) {
	s, doubt := x.newest, x.limit.Doubt
	if own := crossState(e.CrossConnection).sessions.known[x.own]; x.hasOwn && own != nil {
		s = own
	}
	switch {
	case s == nil:
		report, doubt = report.As(finding.Warning), "the session was created before the capture began, or elsewhere"
	case !x.known:
		report, doubt = report.As(finding.Warning), finding.DoubtLate
	case s.backRequest > uint64(x.limit.Bytes):
		return
	}
	f := report.About("a", x.about, doubt)
	if f == nil {
		return
	}
	f.Messagef("the callback has %s", x.what)
	if s != nil {
		f.Messagef("the callback has %s, but the client accepts requests of at most %d bytes", x.what, s.backRequest).With(s.frame)
		f.See("ca_maxrequestsize of the backchannel", s.backRequest, nil)
	}
	if x.known {
		f.See("inline threshold", x.limit.Bytes, nil)
	}
}
