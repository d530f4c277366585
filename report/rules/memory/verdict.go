package memory

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// tell tells of an offence, unless something that is not known may excuse it. Heard
// says that its owner sent something behind it, so that a call which is missing
// before that would have shown, and that no call came late.
func (j *Judge) tell(o *Offence, heard bool) {
	excused := false
	heard = !j.c.Asked(rules.Unheard, !heard)
	switch o.Verdict {
	case Never, OwnMemory:
		excused = j.never(o, heard)
	case TooLate:
		excused = j.tooLate(o, heard)
	default:
		excused = j.beside(o, heard)
	}
	if excused {
		j.known.stray(o.Time)
		return
	}
	rules.Raise(j.c, o.Verdict.class(), o)
}

// never judges an operation on what its owner did not advertise.
func (j *Judge) never(o *Offence, heard bool) (excused bool) {
	if !j.known.all(j.c, o.Time) || j.c.Gap() {
		return true
	}
	if heard || o.Verdict == Never && j.SwappedOf(o) != nil {
		return false
	}
	return j.unheard(o)
}

// unheard judges an operation of which the owner sent nothing since. Only that it
// was refused speaks against it.
func (j *Judge) unheard(o *Offence) (excused bool) {
	if !o.refused || j.known.apart(j.c, o.frame(), o.From.Peer()) {
		return true
	}
	o.Doubt = doubtLast
	return false
}

// tooLate judges an operation on what is over.
func (j *Judge) tooLate(o *Offence, heard bool) (excused bool) {
	switch g := &o.Grant; {
	case g.Over == Forgotten:
		return true // its call may have been sent again with other memory
	case j.known.unread(g.Since):
		return true // what cannot be read may have advertised the handle anew
	case j.c.LostSince(g.By) || o.Time < g.Until:
		// One that was captured before the end is told behind it only if frames are
		// out of order.
		return true
	case heard:
		return false
	}
	return j.unheard(o)
}

// beside judges an operation on what is open, but not there or not so.
func (j *Judge) beside(o *Offence, heard bool) (excused bool) {
	if j.known.unread(o.Grant.Since) {
		return true
	}
	o.Doubt = j.c.Doubt(o.Grant.Call, true)
	if o.Doubt == "" && !heard {
		o.Doubt = doubtLast
	}
	// A handle that lasts has other ranges in other calls.
	return o.Doubt != "" && !o.touches()
}

// SwappedOf is the grant whose handle an operation names with its octets in reverse
// order; nil if there is none.
func (j *Judge) SwappedOf(o *Offence) *Grant {
	if g := j.ledger.Swapped(o.Handle); g != nil && g.Handle != o.Handle && g.Owner != o.From {
		return g
	}
	return nil
}

// Driven reports whether an operation with a handle that nobody advertised is by the
// client of a server that never advertised any: it has nothing to use.
func (j *Judge) Driven(o *Offence) bool {
	k := &j.known
	return j.c.RolesKnown && o.From == j.c.ClientEnd && k.called[o.From&1] && !k.advertised[o.From.Peer()]
}

// Has reports whether the capture has all that an end sent since a frame at a time, and
// no answer came shortly before that before its call.
func (j *Judge) Has(from flow.End, since flow.Ref, time int64) bool {
	c := j.c
	return !c.OneDirection() && !c.Unread && !c.LostSince(since) && j.known.began(c, from, time) && !j.known.unread(time-int64(settling))
}

// Ordered reports whether what one end sent at a time was before what the other sent at
// a later one, for all that the capture tells. It may have the two directions out of
// order for a short time without a sign of it.
func (j *Judge) Ordered(earlier, later int64) bool {
	return later-earlier >= int64(patience) && !j.c.Disordered()
}
