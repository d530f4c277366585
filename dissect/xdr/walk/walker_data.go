package walk

import (
	"encoding/binary"
	"math/bits"

	"github.com/rdmacap/rdmacap/field"
)

// data takes opaque data or a string.
func (w *Walker) data(s *step, selected *selector, depth int) {
	it := w.in.ReadOpaque(s.n, s.eligible)
	if w.in.Bad() {
		return
	}
	if s.eligible || it.Chunk >= 0 {
		w.item(w.addEvent(Item, -1, s.field, it.Offset, int(it.Length), uint64(it.Length)), it, s.eligible)
	}
	if s.mark >= 0 {
		w.item(w.addEvent(Value, s.mark, s.field, it.Offset, int(it.Length), uint64(it.Length)), it, false)
		for _, m := range s.also {
			w.item(w.addEvent(Value, m, s.field, it.Offset, int(it.Length), uint64(it.Length)), it, false)
		}
	}
	if s.content != nil && it.Chunk < 0 {
		outer := w.in.Enter(w.bytes, it)
		w.wrong(w.content(s.content, selected, depth+1))
		w.in.Leave(outer)
	}
}

// item adds to an event what is known of opaque data.
func (w *Walker) item(e *Event, it OpaqueData, eligible bool) {
	if e != nil {
		e.Chunk, e.Eligible, e.Position = it.Chunk, eligible, it.Position
	}
}

// content goes over what opaque data hold. The reason says what is not known of
// them.
func (w *Walker) content(c *contentPlan, selected *selector, depth int) (unknown string) {
	switch {
	case c.sub != nil:
		w.run(c.sub, depth)
	case !c.bits:
		// A default of void knows nothing either.
		arm := c.arms.findArm(selected.word)
		if w.in.Remaining() > 0 && (arm == nil || arm.n == 0 && arm.sub == nil && c.arms.isOther(arm)) {
			return reasonContent
		}
		if arm != nil {
			w.arm(arm, depth)
		}
	default:
		for at := 0; at < len(selected.bitmap); at += 4 {
			for word := binary.BigEndian.Uint32(selected.bitmap[at:]); word != 0; word &= word - 1 {
				arm := c.arms.findArm(uint32(8*at + bits.TrailingZeros32(word)))
				if arm == nil {
					return reasonAttribute
				}
				if w.arm(arm, depth); w.in.Bad() {
					return ""
				}
			}
		}
	}
	return ""
}

// wrong notes what is wrong inside opaque data that were just read: what is not
// known gives way to what is proven.
func (w *Walker) wrong(unknown string) {
	var f field.Fault
	switch {
	case w.in.Bad():
		f, unknown = w.in.Fault(), ""
	case unknown != "":
		f = field.Fault{Offset: w.in.Offset(), Reason: unknown}
	case w.in.Remaining() > 0:
		f = field.Fault{Offset: w.in.Offset(), Reason: reasonBehind}
	default:
		return
	}
	if !w.Inside.Bad() || w.Unknown && unknown == "" {
		w.Inside, w.Unknown = f, unknown != ""
	}
}

// arm goes over an arm's value.
func (w *Walker) arm(a *armPlan, depth int) {
	if a.sub != nil {
		w.run(a.sub, depth)
	} else {
		w.in.Skip(a.n)
	}
}
