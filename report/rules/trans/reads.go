package trans

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostOpen is how many open RDMA Reads of an end are counted: more than any limit
// that can be told (8 bits of a REQ; 14 bits of an MPA frame, of which adapters
// use few).
const mostOpen = 512

// openReads are the RDMA Reads of a connection that are not answered so far. They
// are answered in the order in which they were asked for, so a response to one
// shows those before it to be answered too. Package requests has neither those over iWARP
// nor what was answered of one.
type openReads struct{ list [2][]openRead }

// openReadsSlot is where each connection keeps it.
const openReadsSlot = rules.ConnSlot[openReads](rules.KeepsTRANSReads)

// openRead is one of them.
type openRead struct {
	place flow.Place // of what names the memory, which reports it from others
	ref   flow.Ref
	left  int64 // bytes
}

// readsOf are those of a connection, for rules that need reading.
func readsOf(c *rules.Conn) *openReads { return openReadsSlot.Of(c) }

// reading keeps the list.
func reading() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsTRANSReads, On: []rules.Event{rules.OnAccess(rules.Reading|rules.Responding, access)}}
}

// onRead calls do for each RDMA Read that is asked for while others are open.
func onRead(do func(c *rules.Conn, a *dissect.Access, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

func access(c *rules.Conn, a *dissect.Access, _ rules.Reporter) {
	switch a.Kind {
	case dissect.AccessRead:
		o := readsOf(c)
		o.asked(a)
		if o.open(a.From) > 1 {
			rules.Raise(c, 0, a)
		}
	case dissect.AccessReadData:
		if o := openReadsSlot.IfAny(c); o != nil {
			o.answered(a)
		}
	}
}

func (o *openReads) asked(a *dissect.Access) {
	list := &o.list[a.From&1]
	if len(*list) == mostOpen {
		*list = append((*list)[:0], (*list)[1:]...)
	}
	*list = append(*list, openRead{a.Place, firstOf(a), int64(a.Announced)})
}

func (o *openReads) answered(a *dissect.Access) {
	list := &o.list[a.From&1]
	for i := range *list {
		r := &(*list)[i]
		if r.place != a.Place {
			continue
		}
		if r.left -= int64(a.Length); r.left <= 0 {
			i++
		}
		*list = slices.Delete(*list, 0, i)
		return
	}
}

// firstOf is the first frame of an operation.
func firstOf(a *dissect.Access) flow.Ref {
	if len(a.Frames) > 0 {
		return a.Frames[0]
	}
	return a.Place.Ref
}

// open is how many an end has open.
func (o *openReads) open(end flow.End) int { return len(o.list[end&1]) }

// oldest is the request of an end that is open for longest.
func (o *openReads) oldest(end flow.End) *openRead { return &o.list[end&1][0] }
