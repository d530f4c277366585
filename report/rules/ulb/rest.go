package ulb

import (
	"math"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

// A rest is what a READ_PLUS asked for and did not get, though the file goes on.
type rest struct {
	from, to   uint64 // octets of the file
	asked, got uint64
	frame      flow.Ref
	time       int64
	sender     flow.End
}

// rests are those of a connection that nobody asked for so far.
type rests struct {
	open                                  []rest
	offset, count, read, eof, data, holes values.Field
}

const mostRests = 16

func newRests() *rests {
	return &rests{
		offset: values.FieldOf("READ_PLUS4args.rpa_offset"), count: values.FieldOf("READ_PLUS4args.rpa_count"), read: values.FieldOf("READ4args.offset"),
		eof: values.FieldOf(plusEOF), data: values.FieldOf(plusData), holes: values.FieldOf(plusHole),
	}
}

// asked takes out what a call asks for, of whatever file.
func (s *rests) asked(x *compound) {
	if len(s.open) == 0 || !x.has.has(values.OpReadPlus) && !x.has.has(values.OpRead) {
		return
	}
	for i := range x.call.Events {
		e := &x.call.Events[i]
		if e.Kind != walk.Operation || e.Value != values.OpRead && e.Value != values.OpReadPlus {
			continue
		}
		v := &s.read
		if e.Value == values.OpReadPlus {
			v = &s.offset
		}
		at := v.Number(x.call, values.Within(x.call, i))
		s.open = slices.DeleteFunc(s.open, func(r rest) bool { return at >= r.from && at < r.to })
	}
}

// returned notes what a result left out.
func (s *rests) returned(r *dissect.RPC, call, result *dissect.Body, operation int) {
	events := values.Within(result, operation)
	eof := s.eof.In(result, events)
	at := values.Answer(call, result.Events[operation].Index)
	if eof == nil || eof.Value != 0 || at < 0 || call.Events[at].Value != values.OpReadPlus {
		return
	}
	args := values.Within(call, at)
	offset, asked := s.offset.Number(call, args), s.count.Number(call, args)
	got := octets006(result, events, &s.data, &s.holes)
	if got >= asked || offset > math.MaxUint64-asked {
		return
	}
	if len(s.open) == mostRests {
		s.open = slices.Delete(s.open, 0, 1)
	}
	s.open = append(s.open, rest{offset, offset + asked, asked, got, r.Reply.Frame(), r.Reply.Last, r.Reply.From})
}

// end says what nobody asked for until the connection ended.
func (s *rests) end(c *rules.Conn, say rules.Say) {
	for _, x := range s.open {
		if c.EndGuard(x.time) || !c.Whole(x.frame) {
			continue
		}
		requester := x.sender.Peer()
		if f := say.Moment("c", x.frame, x.time, &requester, "the reader may not have wanted the rest, or asked on another connection"); f != nil {
			f.Sayf("READ_PLUS returned %d of %d octets from offset %d on and no end of file; nobody asked for the rest", x.got, x.asked, x.from)
			f.See("octets returned", x.got, x.asked)
		}
	}
}
