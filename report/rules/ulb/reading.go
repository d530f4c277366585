package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A reading is a READ-class operation, one whose result has an eligible item: READ,
// READLINK and READ_PLUS of NFS version 4, READ and READLINK of versions 2 and 3.
type reading struct {
	name string
	op   uint64 // its number in NFS version 4, 0 otherwise
	// order is its index among the READ-class operations of the call: its Write
	// chunk by draft-dnoveck-nfsv4-nfsulb-01, section 5.3. Items is how many
	// eligible items came before its own: its Write chunk by RFC 8166, section
	// 4.3.2.2, where results without such an item take no chunk.
	order, items int
	// ok says that it succeeded. One that failed, or was not reached since
	// another failed, has no data.
	ok bool
	// events are those of its result.
	events []walk.Event
	// item is its first eligible item, nil if its result has none.
	item *walk.Event
}

// A readings are those of the RPC that is over, if it has any Write chunk. They
// are worked out once for all rules.
type readings struct {
	list []reading
	turn int64 // of the RPC that they are of
}

// readingsOf are those of a connection, for rules that need compounds.
func readingsOf(c *rules.Conn) *readings { return &all(c).readings }

// listOf are those of the RPC that the rules receive.
func (s *readings) listOf(c *rules.Conn, r *dissect.RPC) []reading {
	if turn := all(c).compound.turn; s.turn != turn {
		s.turn = turn
		s.look(c, r)
	}
	return s.list
}

func (s *readings) look(c *rules.Conn, r *dissect.RPC) {
	s.list = s.list[:0]
	if r.Call == nil || r.Reply == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	h := called(c, r)
	if h == nil || h.Program != rpc.ProgramNFS || !c.Paired(r) {
		return
	}
	result := values.Walked(c, r.Reply)
	if result == nil {
		return
	}
	switch x := compoundOf(c, r); {
	case x.call != nil:
		s.compound(x.call, result)
	case legacy(h) && (h.Procedure == numbers.ProcRead || h.Procedure == numbers.ProcReadlink):
		one := reading{name: "READ", events: result.Events}
		if h.Procedure == numbers.ProcReadlink {
			one.name = "READLINK"
		}
		one.fill()
		s.list = append(s.list, one)
	}
}

// names of the READ-class operations; "" for any other.
func readClass(op uint64) string {
	switch op {
	case numbers.OpRead, numbers.OpReadlink, numbers.OpReadPlus:
		return numbers.OperationName(op)
	}
	return ""
}

func (s *readings) compound(call, result *dissect.Body) {
	items := 0
	for i := range call.Events {
		e := &call.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		name := readClass(e.Value)
		if name == "" {
			continue
		}
		one := reading{name: name, op: e.Value, order: len(s.list), items: items}
		if at := values.Answer(result, e.Index); at >= 0 {
			if result.Events[at].Value != e.Value {
				s.list = s.list[:0] // the reply is no answer to the call
				return
			}
			one.events = values.Within(result, at)
			one.fill()
		}
		for i := range one.events {
			if x := &one.events[i]; x.Kind == walk.Item && x.Eligible {
				items++
			}
		}
		s.list = append(s.list, one)
	}
}

// fill takes what the events of the result say.
func (x *reading) fill() {
	if e := values.Status(x.events); e != nil {
		x.ok = e.OK
	}
	for i := range x.events {
		if e := &x.events[i]; e.Kind == walk.Item && e.Eligible {
			x.item = e
			return
		}
	}
}

// data is how many bytes its item has, 0 without one.
func (x *reading) data() uint64 {
	if x.item == nil {
		return 0
	}
	return x.item.Value
}

// unused is the room of the item's Write chunk by either document; not ok if the
// item does not fit in, or it was used.
func (x *reading) unused(r *dissect.RPC) (room uint64, ok bool) {
	call := &r.Call.Header
	room = min(call.WriteLength(x.order), call.WriteLength(x.items))
	return room, room >= x.data() && r.Reply.Header.WriteLength(x.order) == 0
}

// chunk is the index of the item's Write chunk as both documents have it; not ok
// where they differ.
func (x *reading) chunk() (k int, ok bool) { return x.order, x.order == x.items }
