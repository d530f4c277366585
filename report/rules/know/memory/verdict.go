package memory

import (
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// emit reports a violation, unless something that is not known may excuse it. Heard
// says that its owner sent something after it, so that a call which is missing
// before that would have shown, and that no call came late.
func (j *Checker) emit(o *Violation, heard bool) {
	excused := false
	heard = !j.c.Limited(rules.NothingFollows, !heard)
	switch o.Verdict {
	case Never, OwnMemory:
		excused = j.never(o, heard)
	case TooLate:
		excused = j.tooLate(o, heard)
	default:
		excused = j.beside(o, heard)
	}
	if excused {
		j.known.stray(&o.Access)
		return
	}
	rules.Raise(j.c, o.Verdict.class(), o)
}

// never judges an operation on what its owner did not advertise.
func (j *Checker) never(o *Violation, heard bool) (excused bool) {
	c, owner := j.c, o.From.Peer()
	lost, accounted := c.HoleOfSince(owner, o.Time-int64(settleTime)+1), j.accounted(o)
	switch {
	case !j.known.all(c, o.Time) || c.GapOf(owner) || lost && !accounted:
		return true
	case !heard && (o.Verdict != Never || j.SwappedOf(o) == nil) && j.excusedWhenSilent(o):
		return true
	}
	switch {
	case lost:
		o.Doubt = finding.DoubtLoss
	case c.BeganLate() && c.FirstTime > o.Time-int64(settleTime):
		o.Doubt = finding.DoubtLate
	}
	return false
}

// accounted reports whether what is missing is known to be something else than the call that
// an operation may be for.
func (j *Checker) accounted(o *Violation) bool { return j.c.AccountedBy(o.From.Peer(), o.known) }

// excusedWhenSilent judges an operation of which the owner sent nothing since. Only that it
// was refused speaks against it.
func (j *Checker) excusedWhenSilent(o *Violation) (excused bool) {
	if !o.refused || j.known.apart(j.c, o.frame(), o.From.Peer()) {
		return true
	}
	o.Doubt = doubtLast
	return false
}

// tooLate judges an operation on what is over.
func (j *Checker) tooLate(o *Violation, heard bool) (excused bool) {
	g := &o.Segment
	lost := j.c.LostOf(o.From.Peer(), g.By)
	switch {
	case g.Over == Forgotten:
		return true // its call may have been sent again with other memory
	case j.known.unread(j.c, g.Since):
		return true // what cannot be read may have advertised the handle anew
	case lost && !j.accounted(o):
		return true // by a call that is missing
	case o.Time < g.Until || j.c.EmittedLate(g.By):
		// One that was captured before the end is told after it only if frames are
		// out of order.
		return true
	case !heard && j.excusedWhenSilent(o):
		return true
	}
	if lost {
		o.Doubt = finding.DoubtLoss
	}
	return false
}

// beside judges an operation on what is open, but not there or not so.
func (j *Checker) beside(o *Violation, heard bool) (excused bool) {
	if j.known.unread(j.c, o.Segment.Since) {
		return true
	}
	if o.Doubt = j.c.DoubtOf(o.From.Peer(), o.Segment.Call); j.c.BeganLate() {
		o.Doubt = finding.DoubtLate
	}
	last := o.Doubt == "" && !heard
	if last {
		o.Doubt = doubtLast
	}
	// A handle that lasts has other ranges in other calls. Its owner refuses none of them.
	switch {
	case o.Doubt == "" || o.touches():
		return false
	case o.refused && !j.known.apart(j.c, o.frame(), o.From.Peer()):
		return false
	}
	return !last || o.severalRanges
}

// SwappedOf is the grant whose handle an operation names with its bytes in reverse
// order; nil if there is none.
func (j *Checker) SwappedOf(o *Violation) *AdvertisedSegment {
	if g := j.ledger.Swapped(o.Handle); g != nil && g.Handle != o.Handle && g.Owner != o.From {
		return g
	}
	return nil
}

// Driven reports whether an operation with a handle that nobody advertised is by the
// client of a server that never advertised any: it has nothing to use.
func (j *Checker) Driven(o *Violation) bool {
	k := &j.known
	return j.c.RolesKnown && o.From == j.c.ClientEnd && k.called[o.From&1] && !k.advertised[o.From.Peer()]
}

// Open reports whether a grant was open until it ended for all that the capture tells: that has
// all that the responder sent since the call, or what it lacks of that is the answers to other
// calls, or the reply that is there ended it. No answer came shortly before the call before its
// own. Own are the calls that are open and judged.
func (j *Checker) Open(g *AdvertisedSegment, replied bool, own int64) (doubt string, ok bool) {
	c, from := j.c, g.Owner.Peer()
	lost := c.LostOf(from, g.Call)
	switch {
	case c.OneDirection() || c.Unread || !j.known.began(c, from, g.Call, g.Since) || j.known.unread(c, g.Since-int64(settleTime)):
		return "", false
	case lost && !replied && !c.Accounted(from, own):
		return "", false
	case lost:
		doubt = finding.DoubtLoss
	case c.BeganLate() && !j.known.first[from&1].before(g.Since-int64(skewPatience)):
		doubt = finding.DoubtLate
	}
	return doubt, true
}

// Ordered reports whether what one end sent at a time was before what the other sent at
// a later one, for all that the capture tells. It may have the two directions out of
// order for a short time without a sign of it.
func (j *Checker) Ordered(earlier, later int64) bool {
	return later-earlier >= int64(patience) && !j.c.Disordered()
}
