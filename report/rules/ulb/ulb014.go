package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb014() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Fields:      sessionFields(),
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{creating()},
		On: []rules.Event{
			rules.OnMessage(rules.OtherVersion, message014),
			rules.OnRPC(0, rpc014),
			rules.OnEnd(end014),
			rules.OnPublished(compare014),
		},
	}
}

func message014(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.From != c.ClientEnd && m.Header.Directed() && m.Header.Direction == rpcrdma.DirectionReply && m.Header.Length >= rpcrdma.FixedSize {
		k := state.Of(c)
		k.granted = max(k.granted, uint64(m.Header.Credits))
	}
}

func rpc014(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if m := r.Reply; m != nil && m.From != c.ClientEnd && m.Header.Length >= rpcrdma.FixedSize {
		k := state.Of(c)
		k.granted = max(k.granted, uint64(m.Header.Credits))
	}
	if r.Call != nil && r.Reply != nil {
		sizes014(c, r)
	}
}

func end014(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil {
		return
	}
	if x := k.newest; x != nil && k.granted > 0 && x.slots > k.granted {
		report.Moment("c", x.frame, x.time, nil, "").
			Messagef("the session has %d slots, but the server granted at most %d credits", x.slots, k.granted).
			See("ca_maxrequests", x.slots, finding.AtMost(k.granted))
	}
}

// sizes are those of a reply, and of the room for it, to be compared with what their
// session allows.
type sizes struct {
	session        sessionID
	callback       bool
	reply, offered uint64
	whole          bool // the reply is
	about, room    *rules.About
}

// exceeds reports whether a session allows less.
func (x *sizes) exceeds(s *session) bool {
	limit := x.limit(s)
	return limit > 0 && (x.reply > limit && x.whole || x.offered > limit)
}

// limit is the most that a reply may have, 0 if that is not known.
func (x *sizes) limit(s *session) uint64 {
	if x.callback {
		return s.backResponse
	}
	return s.response
}

// sizes014 posts the sizes of an RPC, but for those that the session allows which was
// created last on the connection, as nearly all are.
func sizes014(c *rules.Conn, r *dissect.RPC) {
	x := sizes{reply: r.Reply.RPCLength, whole: !c.Cut(r.Reply)}
	x.offered, _ = room(&r.Call.Header)
	if a := rules.Immediate(c); a != nil && x.allowed(a) || called(c, r) == nil {
		return
	}
	b := values.Walked(c, r.Call)
	if b == nil {
		return
	}
	q, ok := sequenceOf(b)
	if !ok {
		return
	}
	x.session, x.callback = q.session, callback(c, r)
	if k := state.IfAny(c); k != nil && k.newest != nil && k.newest.id == x.session && !x.exceeds(k.newest) {
		return
	}
	x.about = rules.AboutRPC(r)
	if x.offered > 0 {
		x.room = rules.AboutPart(r, r.Call)
		x.room.ReplyChunk(r.Call)
	}
	rules.Publish(c, x)
}

// allowed reports whether any session that is known allows as much.
func (x *sizes) allowed(a *rules.CrossConnection) bool {
	least := crossState(a).sessions.least
	return least == 0 || x.reply <= least && x.offered <= least
}

// compare014 compares them with the limits of the session.
func compare014(e *rules.ConnRef, x *sizes, report rules.Reporter) {
	s := crossState(e.CrossConnection).sessions.known[x.session]
	if s == nil || !x.exceeds(s) {
		return
	}
	limit := x.limit(s)
	if x.reply > limit && x.whole {
		if f := report.About("a", x.about, ""); f != nil {
			f.Messagef("the reply has %d bytes, but the session allows %d bytes", x.reply, limit)
			f.See("bytes of the RPC reply", x.reply, finding.AtMost(limit)).With(s.frame)
		}
	}
	if x.offered > limit {
		if f := report.About("b", x.room, ""); f != nil {
			f.Messagef("the Reply chunk has room for %d bytes, but the session allows replies of at most %d bytes", x.offered, limit)
			f.See("length of the Reply chunk", x.offered, finding.AtMost(limit)).With(s.frame)
		}
	}
}
