package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// reading is what the rules share about the RPC that is over; what costs something is
// worked out when it is first asked for.
type reading struct {
	types   *types
	checker *memory.Checker
	guess   guess

	diagnosed bool
	found     bodyMismatch
	listed    bool
	results   []result
	whole     bool // results are all that the call has
}

// readingSlot is where a Checker keeps it.
const readingSlot = rules.CaptureSlot[reading](rules.KeepsDDPReading)

// A result is what one procedure or operation may return in a Write chunk.
type result struct {
	// name is that of the procedure or operation; op is the operation's index, -1
	// of what is no COMPOUND.
	name string
	op   int32
	// count is how many bytes it asks for, if it says so (counted).
	count   uint64
	counted bool
}

// readingOf is the reading for an RPC of a connection that is told.
func readingOf(c *rules.Conn) *reading {
	s := readingSlot.Of(c.Capture)
	s.types, s.checker = typesSlot.Of(c.Capture), memory.CheckerOf(c)
	return s
}

// readings forgets what was worked out for the RPC before.
func readings() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsDDPReading, Needs: []rules.Knowledge{memory.CheckerKnowledge()}, On: []rules.Event{
		rules.OnRPC(rules.WithReads|rules.WithWrites, func(c *rules.Conn, _ *dissect.RPC, _ rules.Reporter) {
			s := readingSlot.Of(c.Capture)
			s.diagnosed, s.listed = false, false
		}),
	}}
}

// args is the body of an RPC's call if that is there as a whole and may be judged,
// else nil.
func args(c *rules.Conn, r *dissect.RPC) *dissect.Body {
	m := r.Call
	if !c.Sound(m) || !m.HasRPC || m.CallHeader.Fault.Bad() || c.Opaque(r) {
		return nil
	}
	if n, long := m.Header.PositionZero(); long {
		if m.Transfer != dissect.Long || n > rpcrdma.MaxLong || r.Offer.Front(rpcrdma.ForRead) < n {
			return nil
		}
	}
	return m.Body()
}

// reply is the body of an RPC's reply if that is there as a whole and may be
// judged, else nil. It may not where it may answer another call with the XID.
func (s *reading) reply(c *rules.Conn, r *dissect.RPC) *dissect.Body {
	m := r.Reply
	if !c.Sound(m) || !m.HasRPC || m.ReplyHeader.Fault.Bad() || c.Opaque(r) || s.checker.Resent(r) {
		return nil
	}
	if m.Transfer == dissect.Long {
		n := m.Header.ChunkLength(m.Header.Reply)
		if n > rpcrdma.MaxLong || r.Offer.Front(rpcrdma.ForReply) < n {
			return nil
		}
	}
	return m.Body()
}

// mostChunks is how many chunks a message may have to be judged item by item: more
// than any sender makes of one, and few enough to compare each with each.
const mostChunks = 256

// reduced is the body of a call that has Read chunks for items, else nil. Programs
// without any eligible item are the business of rule ULB-009.
func (s *reading) reduced(c *rules.Conn, r *dissect.RPC) *dissect.Body {
	if r.Call == nil || len(r.Call.Header.Reads) == 0 {
		return nil
	}
	b := args(c, r)
	if b == nil || len(b.Reduced.Reads) == 0 || len(b.Reduced.Reads) > mostChunks || !s.types.program(b.Binding.Program) {
		return nil
	}
	return b
}

// chunkItem is the item of a body that travelled in a chunk, nil if none did.
func chunkItem(b *dissect.Body, chunk int) *walk.Event {
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Item && int(e.Chunk) == chunk {
			return e
		}
	}
	return nil
}

// eligibleResults are what the call of an RPC asks for that a Write chunk may
// carry, in order; ok if it is known to be all.
func (s *reading) eligibleResults(c *rules.Conn, r *dissect.RPC) (list []result, ok bool) {
	if !s.listed {
		s.listed, s.results = true, s.results[:0]
		s.whole = s.list(c, r)
	}
	return s.results, s.whole
}

func (s *reading) list(c *rules.Conn, r *dissect.RPC) bool {
	b := args(c, r)
	if b == nil || !s.types.program(b.Binding.Program) {
		return false
	}
	union := values.Operations(b.Binding.Result)
	if union == nil {
		if s.types.has(b.Binding.Result) {
			s.results = append(s.results, result{name: b.Binding.Label(), op: -1})
		}
	}
	in := -1 // the result whose operation the events are in
	if union == nil && len(s.results) > 0 {
		in = 0
	}
	for i := range b.Events {
		e := &b.Events[i]
		switch {
		case e.Kind == walk.Operation && union != nil:
			in = -1
			if s.types.operation(union, e.Value) {
				in = len(s.results)
				s.results = append(s.results, result{name: operationName(b, e), op: e.Index})
			}
		case in >= 0 && s.types.isCount(b, e):
			s.results[in].count, s.results[in].counted = e.Value, true
		}
	}
	return values.Explained(b)
}

// operationName is the name of the operation that an event begins.
func operationName(b *dissect.Body, e *walk.Event) string {
	names := b.Binding.Plan().Fields[e.Field].Type.Names
	if names == nil {
		return ""
	}
	name := names.Name(e.Value)
	if len(name) > len(names.Prefix) && name[:len(names.Prefix)] == names.Prefix {
		name = name[len(names.Prefix):]
	}
	return name
}

// operationAt is the operation in which an item stands, its name "" if it is in
// none, and its index.
func operationAt(b *dissect.Body, item *walk.Event) (name string, index int32) {
	index = -1
	for i := range b.Events {
		e := &b.Events[i]
		if e == item {
			break
		}
		if e.Kind == walk.Operation {
			name, index = operationName(b, e), e.Index
		}
	}
	return name, index
}

// itemName is what an item is called, for a person: "data of WRITE".
func itemName(b *dissect.Body, e *walk.Event) string {
	field := b.Binding.Plan().Fields[e.Field].Name
	op, index := operationAt(b, e)
	if index < 0 {
		op = b.Binding.Label()
	}
	if field == "" {
		return op
	}
	return field + " of " + op
}
