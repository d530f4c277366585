package ulb

import (
	"math"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A rest is what a READ_PLUS asked for and did not get, though the file goes on.
type rest struct {
	from, to   uint64 // bytes of the file
	asked, got uint64
	frame      flow.Ref
	time       int64
	sender     flow.End
}

// mostRests is how many a connection remembers that nobody asked for so far.
const mostRests = 16

// asked takes out what a call asks for, of whatever file.
func asked(c *rules.Conn, x *compound) {
	k := state.IfAny(c)
	if k == nil || len(k.rests) == 0 || !x.has.has(numbers.OpReadPlus) && !x.has.has(numbers.OpRead) {
		return
	}
	for i := range x.call.Events {
		e := &x.call.Events[i]
		if e.Kind != walk.Operation || e.Value != numbers.OpRead && e.Value != numbers.OpReadPlus {
			continue
		}
		v := &all(c).readOffset
		if e.Value == numbers.OpReadPlus {
			v = &all(c).plusOffset
		}
		at := v.Number(x.call, values.Within(x.call, i))
		k.rests = slices.DeleteFunc(k.rests, func(r rest) bool { return at >= r.from && at < r.to })
	}
}

// returned notes what a result left out.
func returned(c *rules.Conn, r *dissect.RPC, call, result *dissect.Body, operation int) {
	s, events := all(c), values.Within(result, operation)
	eof := s.eof.In(result, events)
	at := values.Answer(call, result.Events[operation].Index)
	if eof == nil || eof.Value != 0 || at < 0 || call.Events[at].Value != numbers.OpReadPlus {
		return
	}
	args := values.Within(call, at)
	offset, asked := s.plusOffset.Number(call, args), s.plusCount.Number(call, args)
	got := bytes006(result, events, &s.data, &s.holes)
	if got >= asked || offset > math.MaxUint64-asked {
		return
	}
	k := state.Of(c)
	if len(k.rests) == mostRests {
		k.rests = slices.Delete(k.rests, 0, 1)
	}
	k.rests = append(k.rests, rest{offset, offset + asked, asked, got, r.Reply.Frame(), r.Reply.Last, r.Reply.From})
}

// end006 says what nobody asked for until the connection ended.
func end006(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil {
		return
	}
	for _, x := range k.rests {
		if c.EndGuard(x.time) || !c.Whole(x.frame) {
			continue
		}
		requester := x.sender.Peer()
		report.Moment("c", x.frame, x.time, &requester, "the reader may not have wanted the rest, or may have requested it on another connection").
			Messagef("READ_PLUS returned %d of %d bytes from offset %d without the end of file; nobody requested the rest", x.got, x.asked, x.from).
			See("bytes returned", x.got, x.asked)
	}
}
