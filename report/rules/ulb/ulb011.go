package ulb

import (
	"cmp"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
)

// What leaves it open whether a reply did not fit.
const doubtError = "in version 1 a call that cannot be decoded gets the same answer"

func ulb011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder)).Of("a call without a reply"),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Client), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.Lossy.From(rules.Client)).Of("messages of version 2"),
		},
		Fields: size.Fields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{failing()},
		On:     []rules.Event{onRepeated(repeated011), rules.OnCheckedRPC(rules.Refused|rules.WithoutReply, checked011)},
	}
}

func repeated011(c *rules.Conn, s *failures, report rules.Reporter) {
	if s.failed == nil {
		needed011(c, report, s.rpc, s.found)
	}
}

func checked011(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := failuresOf(c)
	switch {
	case s != nil && s.failed != nil:
		refused011(c, s, report, r)
	case s != nil && s.found != nil:
	case r.Unreplied() && r.Call != nil && !c.Opaque(r) && ended(c) && !c.OneDirection() && !c.LostOf(r.Requester.Peer(), r.Call.Frame()) &&
		c.LastTime-r.Call.Last <= int64(c.Capture.Config.Consequence):
		short011(c, report, r, "was the last before the connection ended", "other calls were in flight")
	}
}

// ended reports whether an end closed the connection, or broke it.
func ended(c *rules.Conn) bool {
	return c.Closing == flow.Terminated || c.Closing == flow.Reset || c.Closing == flow.Disconnected
}

// refused011 judges a call that was refused. In version 2 the error for it tells: only
// RDMA2_ERR_CANT_REPLY is about the room.
func refused011(c *rules.Conn, s *failures, report rules.Reporter, r *dissect.RPC) {
	what, call, h := "was answered with "+s.failed.how, &r.Call.Header, &r.Reply.Header
	switch {
	case call.Version == rpcrdma.Version1:
		short011(c, report, r, what, doubtError)
	case !s.failed.short:
	case h.SegmentIndex == 0 || h.SegmentIndex > uint32(len(call.Segments)):
		short011(c, report, r, what, "")
	default:
		k := int(h.SegmentIndex) - 1
		had := call.Segments[k].Length
		if h.LengthNeeded <= had || called(c, r) == nil || malformed(c, r) {
			return // V2-008b
		}
		if f := report.Part("", r, r.Call, ""); f != nil {
			f.Messagef("the call offers %d bytes in segment %d of its Write and Reply chunks, and %s: the reply needs %d bytes there", had, k+1, what, h.LengthNeeded)
			f.See("length of the segment", had, h.LengthNeeded).See("rdma_processed", h.Processed, nil)
			f.Word(r.Call, call.SegmentAt(k)+rpcrdma.SegmentLength)
		}
		s.failed.reported = true
	}
}

// short011 compares what a call asks for with the room that it has.
func short011(c *rules.Conn, report rules.Reporter, r *dissect.RPC, what, doubt string) {
	h := called(c, r)
	if h == nil || malformed(c, r) {
		return
	}
	room, unsure, known := roomForReply(c, r)
	length, unbounded := size.Of(c.Capture).Least(h, r)
	if !known || length <= room && unbounded == "" {
		return
	}
	f := report.Part("", r, r.Call, cmp.Or(doubt, unsure))
	if f == nil {
		return
	}
	if length > room {
		f.Messagef("the call lets the server return %d bytes, offers room for %d, and %s", length, room, what)
		f.See("room for the reply", room, length)
	} else {
		f.Messagef("the call requests %s, which has no limit, offers room for %d bytes, and %s", unbounded, room, what)
		f.See("room for the reply", room, nil)
	}
	f.ReplyChunk(r.Call)
}

// malformed reports whether something was found about a call that explains why it
// was refused.
func malformed(c *rules.Conn, r *dissect.RPC) bool {
	for _, x := range c.Reported(r) {
		if family := x.Rule.Family(); (family == "HDR" || family == "DDP" || family == "V2") && x.Finding.Severity == finding.Error {
			return true
		}
	}
	return false
}

// needed011 compares the reply to a second attempt with the room of the first.
func needed011(c *rules.Conn, report rules.Reporter, r *dissect.RPC, before *failure) {
	if !accepted(c, r) || before.inline == 0 || before.reported {
		return
	}
	needed := uint64(r.Reply.Length - r.Reply.Header.Length)
	if r.Reply.Transfer == dissect.Long {
		needed, _ = room(&r.Reply.Header)
	}
	had := max(before.reply, before.inline)
	if needed <= had {
		return
	}
	if f := report.Part("", r, r.Call, ""); f != nil {
		f.Messagef("the same call, with XID 0x%08x, was answered with %s; it had room for %d bytes, but the reply has %d", before.xid, before.how, had, needed)
		f.See("room for the reply", had, needed).With(before.frame).Also(before.xid)
	}
}
