package memory

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

const (
	// mostHeld is how many operations wait for a verdict at most. Each does until the
	// owner of the memory has sent something, then for patience and some frames of
	// the connection: the capture may have the two directions out of order, so that
	// the call which excuses it comes after it.
	mostHeld       = 64
	patience       = 5 * time.Millisecond
	patienceFrames = 64
	// skewPatience is patience where the two directions are known not to be in
	// step, or come from different files, whose clocks differ.
	skewPatience = time.Second
	// settleTime is how long after what is not known an operation may still be about
	// that.
	settleTime = 30 * time.Second
)

// offends holds an operation until it is known that no call allows it.
func (j *Checker) offends(o *Violation) {
	length, write := uint64(o.Length), o.Kind == dissect.AccessWrite
	v, g := j.ledger.Find(o.From, o.Handle, o.Offset, length, write)
	switch v {
	case Fits:
		return
	case Outside, Direction, TooLate:
		// Was the operation for a grant of the handle that is over?
		if old := j.ledger.former(o.From, o.Handle, o.Offset, length, write); old != nil {
			v, g = TooLate, old
		}
	case Never, OwnMemory:
		if !j.known.all(j.c, o.Time) {
			j.known.stray(&o.Access)
			return
		}
	}
	if len(j.held) == mostHeld {
		j.known.stray(&o.Access)
		return
	}
	o.Verdict = v
	owner := o.From.Peer()
	o.known = j.c.Known(owner)
	o.Frames = append([]flow.Ref(nil), o.Frames...)
	o.RPC, o.Region = nil, nil // they go on to serve others
	if g != nil {
		o.Segment, o.HasSegment = *g, true
		o.Segment.Asked, o.Segment.Seen = nil, nil
		o.severalRanges = v == Outside && j.ledger.lasts(o.Handle)
	}
	j.held = append(j.held, *o)
	j.c.AwaitFrames(rules.KeepsMemoryChecker, true)
}

// answer notes that an RDMA Read which waits brought bytes.
func (j *Checker) answer(a *dissect.Access) {
	for i := range j.held {
		if o := &j.held[i]; o.Kind == dissect.AccessRead && o.From == a.From && o.Handle == a.Handle && o.Place == a.Place {
			o.Answered = true
		}
	}
}

// owner notes that an end sent something, to operations that wait for its memory: a
// call, of which the header may excuse them, or something else (nil).
func (j *Checker) owner(from flow.End, at flow.Ref, time int64, call *rpcrdma.Header) {
	for i := 0; i < len(j.held); {
		o := &j.held[i]
		switch {
		case o.From == from:
		case call != nil && allows(call, o.Handle, o.Offset, uint64(o.Length), o.Kind == dissect.AccessWrite):
			j.known.late(j.c.LastTime)
			j.held = slices.Delete(j.held, i, i+1)
			continue
		case o.due == 0 && o.before(at, time):
			o.due = j.c.Frames + patienceFrames
		}
		i++
	}
}

// frame releases what has waited long enough.
func frame(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if j := checkerSlot.IfAny(c); j != nil && len(j.held) > 0 {
		j.release(v)
		c.AwaitFrames(rules.KeepsMemoryChecker, len(j.held) > 0)
	}
}

func (j *Checker) release(v *dissect.FrameView) {
	from := v.Verdict.From
	switch {
	case v.IB == nil && len(v.Verdict.Units) > 0:
		// What comes in a stream shows that nothing before it is missing.
		j.owner(from, v.Frame.Ref(), v.Frame.Time, nil)
	case v.IB != nil && v.IB.AETH() != 0 && v.IB.Syndrome() == rocev2.NAKRemoteAccessError:
		j.refuse(from)
	}
	for i := 0; i < len(j.held); {
		o := &j.held[i]
		if o.due == 0 || o.due > j.c.Frames || !j.waited(o, v.Frame.Time) {
			i++
			continue
		}
		j.emit(o, true)
		j.held = slices.Delete(j.held, i, i+1)
	}
}

// refuse notes that the owner of memory refused an operation.
func (j *Checker) refuse(owner flow.End) {
	for i := range j.held {
		j.held[i].refused = j.held[i].refused || j.held[i].From != owner
	}
}

// waited reports whether an operation has waited long enough for the call that may
// excuse it.
func (j *Checker) waited(o *Violation, now int64) bool {
	return now-o.Time >= int64(waiting(j.known.apart(j.c, o.frame(), o.From.Peer())))
}

// atEnd judges what still waits. A connection that was closed has no more calls; of one
// that is open they may come after the capture.
func (j *Checker) atEnd() {
	if t := j.c.Termination; t != nil && len(j.held) > 0 {
		const rdmapProtection, ddpTagged = 0x01, 0x11 // layer and type
		if kind := t.Layer<<4 | t.EType; kind == rdmapProtection || kind == ddpTagged {
			j.refuse(j.c.TerminatedBy)
		}
	}
	for i := range j.held {
		o := &j.held[i]
		apart := j.known.apart(j.c, o.frame(), o.From.Peer())
		over := j.c.Closing != flow.Open && !apart || j.waited(o, j.c.Capture.Now)
		j.emit(o, o.due > 0 && over)
	}
	j.held = j.held[:0]
}
