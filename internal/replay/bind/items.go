package bind

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// An item is something in a message that is bound, or opaque data that hold such.
type item struct {
	kind  types.BindKind
	holds bool
	// variable says that a length word stands before the bytes.
	variable bool
	inChunk  bool
	mark     int32
	// at is where its bytes begin in the message, n how many there are.
	at, n int
	// position is that of the bytes in the unreduced message.
	position uint64
	// op is the operation that it stands in, from 1 on; 0 outside of any.
	op int32
	// name is that of the element that it stands in, ordinal counts the items of the
	// same mark before it in the operation, within the element if it has a name.
	name    string
	ordinal int
	// count says what a sequence number counts; with byState it is the "other" bytes of
	// a stateid, and what is counted is whatever that belongs to.
	count   string
	byState bool
}

// A status is that of an operation, or with op 0 that of the whole result.
type status struct {
	op    int32
	value uint64
	ok    bool
	names *types.Names
}

// contents is what was found in a message.
type contents struct {
	bytes    []byte
	header   int      // bytes of the RPC header
	items    []item   // in the order of the bytes
	statuses []status // in ascending order of op
	opcodes  []uint64 // of operation 1, 2, ...
	starts   []int    // where they begin in the message
	// session says that the message has a session's sequence number.
	session bool
	whole   bool // it was read to its end
	plan    *plan
}

// mostEvents bounds what is looked at in one message: a directory of 1 MiB has fewer.
const mostEvents = 1 << 18

// A reader finds the items of messages; it is used again for the next one.
type reader struct {
	walker walk.Walker
	keys   []keyed
}

// A keyed is a value that says what a sequence number counts.
type keyed struct {
	mark  int32
	bytes []byte
}

// call finds what is bound in a call. The error says that it is none.
func (r *reader) call(p *plan, m *Message, header *rpc.Call) *contents {
	return r.read(p, m, header.Length, walk.Reduction{Start: uint32(header.Length), Reads: m.Reads}, false)
}

// reply finds what is bound in a reply; nil if it is none that has a result.
func (r *reader) reply(p *plan, m *Message) *contents {
	var header rpc.Reply
	header.Decode(m.Bytes)
	if header.Fault.Bad() || header.Denied || header.Accept != rpc.Success {
		return nil
	}
	return r.read(p, m, header.Length, walk.Reduction{Start: uint32(header.Length), Writes: m.Writes}, true)
}

func (r *reader) read(p *plan, m *Message, header int, reduced walk.Reduction, isResult bool) *contents {
	c := &contents{bytes: m.Bytes, header: header, plan: p}
	if p == nil {
		return c
	}
	route := p.route(m, isResult)
	if route == nil {
		return c
	}
	r.walker.Most = mostEvents
	r.walker.Walk(route, m.Bytes[header:], reduced)
	c.whole = !r.walker.Fault.Bad() && !r.walker.Dropped
	r.gather(c)
	return c
}

// gather makes items of the events.
func (r *reader) gather(c *contents) {
	body := c.bytes[c.header:]
	op, name, first := int32(0), "", 0
	r.keys = r.keys[:0]
	end := func() { // of an operation: what its sequence numbers count is known now
		for i := range c.items[first:] {
			r.counts(c, &c.items[first+i])
		}
		first, name, r.keys = len(c.items), "", r.keys[:0]
	}
	for i := range r.walker.Events {
		e := &r.walker.Events[i]
		switch e.Kind {
		case walk.Operation:
			end()
			op = e.Index + 1
			c.opcodes = append(c.opcodes, e.Value)
			c.starts = append(c.starts, c.header+int(e.Offset))
		case walk.End:
			end()
			op = 0
		case walk.Status:
			// One after the operations would be no status of the whole.
			if n := len(c.statuses); n == 0 || c.statuses[n-1].op < op {
				c.statuses = append(c.statuses, status{op, e.Value, e.OK, c.plan.Fields[e.Field].Type.Names})
			}
		case walk.Value:
			role := &c.plan.roles[e.Mark]
			it := item{
				kind: role.kind, holds: role.holds, variable: role.variable, inChunk: e.Chunk >= 0, mark: e.Mark,
				at: c.header + int(e.Offset), n: int(e.Length), position: e.Position, op: op, name: name,
			}
			if e.Field >= 0 && role.kind != types.NotBound {
				if b := c.plan.Fields[e.Field].Bind; b != nil {
					it.kind = b.Kind
				}
			}
			if it.inChunk {
				it.n = 0
			}
			data := body[e.Offset : int(e.Offset)+it.n]
			if role.counted != "" {
				r.keys = append(r.keys, keyed{e.Mark, data})
			}
			if it.kind == types.ElementNames {
				name = string(data)
				continue
			}
			c.session = c.session || it.kind == types.Sequences
			if it.kind != types.NotBound || it.holds {
				it.ordinal = c.ordinal(&it)
				c.items = append(c.items, it)
			}
		}
	}
	end()
	slices.SortStableFunc(c.items, func(a, b item) int { return a.at - b.at })
}

// ordinal counts the items before one that only their order tells from it.
func (c *contents) ordinal(it *item) int {
	for i := len(c.items) - 1; i >= 0 && c.items[i].op == it.op; i-- {
		before := &c.items[i]
		if before.mark == it.mark && (it.kind == types.Cookies || before.name == it.name) {
			return before.ordinal + 1
		}
		if before.name != it.name && it.kind != types.Cookies {
			break
		}
	}
	return 0
}

// counts says what a sequence number counts.
func (r *reader) counts(c *contents, it *item) {
	for _, mark := range c.plan.roles[it.mark].by {
		for _, k := range r.keys {
			if k.mark == mark {
				if it.byState = c.plan.Marks[mark].Type.Kind == types.Struct; it.byState {
					it.count = string(k.bytes[4:])
				} else {
					it.count += c.plan.roles[mark].counted + string(k.bytes)
				}
				break
			}
		}
	}
}

// itemsOf are the items of an operation.
func (c *contents) itemsOf(op int32) []item {
	byOp := func(it item, op int32) int { return int(it.op - op) }
	i, _ := slices.BinarySearchFunc(c.items, op, byOp)
	j, _ := slices.BinarySearchFunc(c.items[i:], op+1, byOp)
	return c.items[i : i+j]
}

// value is the bytes of an item.
func (c *contents) value(it *item) []byte { return c.bytes[it.at : it.at+it.n] }

// status is the status of an operation, 0 for the whole; nil if it has none.
func (c *contents) status(op int32) *status {
	i, ok := slices.BinarySearchFunc(c.statuses, op, func(s status, op int32) int { return int(s.op - op) })
	if !ok {
		return nil
	}
	return &c.statuses[i]
}
