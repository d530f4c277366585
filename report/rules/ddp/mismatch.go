package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// An mismatch is what is wrong with the Read chunks of a call, or with what is
// inline around the items that are in chunks.
type mismatch uint8

const (
	unknown    mismatch = iota // nothing that would be proven
	ineligible                 // an item was reduced that must not be: DDP-001
	misplaced                  // a Position is wrong: DDP-005
	mismatched                 // a chunk has not the length of its item: DDP-007
	misaligned                 // the inline bytes around an item are wrong: DDP-009
	halved                     // part of an item is inline, the rest in its chunk: DDP-022
)

// A bodyMismatch is the first thing wrong with a body that does not fit its chunks.
type bodyMismatch struct {
	mismatch
	letter string
	// chunk is the index in Reduction.Reads or Writes.
	chunk int
	// at is the inline byte in the body at which it shows; length is how many
	// bytes of the body are too many there, 0 if some are missing.
	at, length int
	// expected is the Position, or the number of bytes, that would be right; 0
	// if that is not known.
	expected uint64
	// what is the item or operation, for a person.
	what string
}

// ailing is the body of a call whose Read chunks have an ailment, and what it is; nil
// if they do not.
func (s *reading) ailing(c *rules.Conn, r *dissect.RPC, a mismatch) (*dissect.Body, *bodyMismatch) {
	b := s.reduced(c, r)
	if b == nil {
		return nil, nil
	}
	if d := s.diagnose(b); d.mismatch == a {
		return b, d
	}
	return nil, nil
}

// diagnose says what is wrong with the Read chunks of a call.
func (s *reading) diagnose(b *dissect.Body) *bodyMismatch {
	if !s.diagnosed {
		s.diagnosed = true
		s.found = s.call(b)
	}
	return &s.found
}

func (s *reading) call(b *dissect.Body) bodyMismatch {
	reads := b.Reduced.Reads
	for k := range reads {
		if reads[k].Position%4 != 0 {
			return bodyMismatch{mismatch: misplaced, letter: "a", chunk: k, expected: xdr.Padded(reads[k].Position)}
		}
	}
	if values.Explained(b) && b.Chunks == len(reads) {
		return s.items(b)
	}
	if !s.types.has(b.Binding.Args) {
		return bodyMismatch{mismatch: ineligible, what: "an argument of " + b.Binding.Label()}
	}
	return s.misfit(b)
}

// items judges the chunks of a call that fit its items.
func (s *reading) items(b *dissect.Body) bodyMismatch {
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 {
			continue
		}
		d := bodyMismatch{chunk: int(e.Chunk), at: int(e.Offset)}
		if !e.Eligible {
			d.mismatch = ineligible
		}
		if !e.Eligible || d.compare(b.Reduced.Reads[e.Chunk].Length, e) {
			d.what = itemName(b, e)
			return d
		}
	}
	return bodyMismatch{}
}

// compare compares the length of a chunk with its item.
func (d *bodyMismatch) compare(length uint32, e *walk.Event) bool {
	d.expected = uint64(e.Length)
	switch n := uint64(length); {
	case n > xdr.Padded(e.Length):
		d.letter = "b"
	case n < uint64(e.Length):
		d.letter = "c"
	default:
		return false
	}
	d.mismatch = mismatched
	return true
}

// misfit judges the chunks of a call that do not fit its items.
func (s *reading) misfit(b *dissect.Body) bodyMismatch {
	reads := b.Reduced.Reads
	next := min(b.Chunks, len(reads)) // the first chunk that no item was found for
	if next < len(reads) && !b.Fault.Bad() && b.Left == 0 {
		return bodyMismatch{mismatch: misplaced, letter: "b", chunk: next, expected: uint64(b.Start) + b.Unreduced}
	}
	first := next // the first chunk that may be at the wrong place
	for k := range next {
		if e := chunkItem(b, k); e == nil || !e.Eligible {
			first = k
			break
		}
	}
	g := &s.guess
	if d, ok := g.halves(b); b.Split && ok {
		return d
	}
	if d, ok := g.inside(b, first); ok {
		return d
	}
	if d, ok := g.positions(b, first); ok {
		return d
	}
	for k := max(0, first-1); k <= first && k < len(reads); k++ {
		if d, ok := g.missing(b, k, s.types.before(b.Binding.Args)); ok {
			return d
		}
	}
	if first > 0 {
		if d, ok := g.around(b, chunkItem(b, first-1)); ok {
			return d
		}
		if d, ok := g.split(b, first-1); ok {
			return d
		}
	}
	return s.proven(b, first)
}

// proven is what can be reported where no guess fits: a chunk whose Position is passed
// over lies at no item, if all before it is right.
func (s *reading) proven(b *dissect.Body, k int) bodyMismatch {
	reads := b.Reduced.Reads
	for j := range k {
		d := bodyMismatch{chunk: j}
		e := chunkItem(b, j)
		d.at, d.what = int(e.Offset), itemName(b, e)
		if d.compare(reads[j].Length, e) {
			return d
		}
	}
	if k == len(reads) {
		return bodyMismatch{}
	}
	d := bodyMismatch{chunk: k, mismatch: misplaced, letter: "c"}
	op, index := s.lastOperation(b, k)
	if e := chunkItem(b, k); e != nil { // an item that is not eligible
		d.mismatch, d.letter, d.at, d.what = ineligible, "", int(e.Offset), itemName(b, e)
		return d
	}
	stop := int64(reads[k].Position) - int64(b.Start) - int64(b.Unreduced) + int64(b.Consumed)
	// Reading went past the Position, or what begins before it needs more bytes
	// than there are.
	past := b.Fault.Bad() && !b.Cut && int64(b.Fault.Offset) == max(0, stop)
	short := b.Cut && int64(b.Fault.Offset) < stop && stop <= int64(len(b.Bytes))
	if !past && !short {
		return bodyMismatch{} // something else was wrong first
	}
	d.at = int(max(0, stop))
	if union := values.Operations(b.Binding.Args); union != nil && index >= 0 && stop > 0 {
		d.what = op.name
		if !s.types.operation(union, op.number) {
			d.mismatch, d.letter, d.what = ineligible, "", "an argument of "+op.name
		}
	}
	return d
}

// An operation is the one in which a walk ended.
type operation struct {
	name   string
	number uint64
}

// lastOperation is the operation that holds the item of chunk k, or else the last
// one that was begun and not ended; its index is -1 if there is none.
func (s *reading) lastOperation(b *dissect.Body, k int) (op operation, index int32) {
	index = -1
	for i := range b.Events {
		switch e := &b.Events[i]; {
		case e.Kind == walk.Operation:
			op, index = operation{operationName(b, e), e.Value}, e.Index
		case e.Kind == walk.End:
			index = -1
		case e.Kind == walk.Item && int(e.Chunk) == k:
			return op, index
		}
	}
	return op, index
}
