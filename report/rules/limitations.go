package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
)

// BeganLate is that of dissect.Connection.
func (c *Conn) BeganLate() bool { return c.Limited(BeganLate, c.Connection.BeganLate()) }

// FromStart reports whether the capture has what an end sent from its word in the setup on, though it
// lacks the other direction: what an end sent first is known then, unless a frame between the two is
// missing, which nothing would show.
func (c *Conn) FromStart(e flow.End) bool {
	return c.Setup != flow.SetupInferred && c.Handshake.Declared[e&1].Captured && c.OneDirection()
}

// longBegun is how many frames after a late begin of the capture what was sent before that
// hardly matters any more.
const longBegun = 128

// JustBegun reports whether the capture began after the connection was set up, and not long
// before a frame, so that what matters for that may have been sent before.
func (c *Conn) JustBegun(around flow.Ref) bool {
	return c.Limited(JustBegun, c.Connection.BeganLate() && (c.Frames < longBegun || c.First.File == around.File && around.Number-c.First.Number < longBegun))
}

// OneDirection reports whether only one direction was seen so far.
func (c *Conn) OneDirection() bool { return c.Limited(OneDirection, c.OneWay()) }

// LackingOf reports whether any message that an end sent may be missing from the capture so
// far.
func (c *Conn) LackingOf(e flow.End) bool {
	return c.Limited(Lossy.From(c.party(e)), c.SendHolesOf(e) > 0 || c.GapOf(e))
}

// Lossy is that of dissect.Connection. What proves itself by absence is not proven then.
func (c *Conn) Lossy() bool { return c.Limited(Lossy, c.Connection.Lossy()) }

// Gap reports whether frames are missing now that may still come.
func (c *Conn) Gap() bool { return c.Limited(Lossy, c.Connection.Gap()) }

// NewestHoleOf is where the newest hole in the capture of what an end sent showed, if any is
// known.
func (c *Conn) NewestHoleOf(e flow.End) (at flow.Moment, is bool) {
	return c.LastHoleOf(e), c.Limited(LostSince.From(c.party(e)), c.HolesOf(e) > 0)
}

// HoleSince reports whether a hole in the capture of the connection showed at a time, in
// nanoseconds since 1970, or later.
func (c *Conn) HoleSince(time int64) bool {
	return c.Limited(LostSince, c.Holes > 0 && c.LastHole().Time >= time)
}

// HoleOfSince is the same for what one end sent.
func (c *Conn) HoleOfSince(e flow.End, time int64) bool {
	h := c.LastSendHoleOf(e)
	return c.Limited(LostSince.From(c.party(e)), h.Ref.Number != 0 && h.Time >= time)
}

// Thresholds are the inline thresholds of the connection, known if its setup was captured,
// or if version 2 has told them.
func (c *Conn) Thresholds() (t rpcrdma.Thresholds, known bool) {
	t, known = c.Connection.Thresholds()
	return t, !c.Limited(BeganLate, !known)
}

// LostSince reports whether it showed at or after a frame that something is
// missing from the capture, or is missing now and may still come. Of captures that
// are merged no order is known between frames of different files: any hole counts. A
// message that was told after a later one counts too: while frames are missing, the
// two directions are not told in the order in which they were captured. Of a capture
// that began late nobody knows whether the first that an end sent is missing, until it
// is heard.
func (c *Conn) LostSince(r flow.Ref) bool { return c.Limited(LostSince, c.lostSince(r)) }

func (c *Conn) lostSince(r flow.Ref) bool {
	return c.Connection.Gap() || c.Connection.BeganLate() && !c.order.bothSentBefore(r) || notBefore(c.order.late, r) ||
		behind(c.LastHoleOf(0).Ref, r) || behind(c.LastHoleOf(1).Ref, r)
}

// after reports whether a hole that showed by one frame may be after another. That which
// the other shows itself is before it.
func behind(hole, r flow.Ref) bool {
	return hole.Number > 0 && (hole.File != r.File || hole.Number > r.Number)
}

// EmittedLate reports whether a message was told, at or after a frame, after one that was
// captured after it: while frames are missing, the two directions are not told in step.
func (c *Conn) EmittedLate(r flow.Ref) bool { return c.Limited(Disordered, notBefore(c.order.late, r)) }

// notBefore reports whether one frame may have been captured at or after another: of
// different files nobody knows. It is false for no frame.
func notBefore(x, r flow.Ref) bool { return x.Number > 0 && (x.File != r.File || x.Number >= r.Number) }

// LostOf reports whether frames of one end are missing from the capture that it sent at or
// after a frame, or are missing now and may still come: such as may have been a message. In what order the messages of both
// ends were told does not matter: it is for who has those that it judges, and asks only
// whether there was another.
func (c *Conn) LostOf(e flow.End, since flow.Ref) bool {
	return c.lostOf(e, since, c.LastSendHoleOf(e))
}

// LostAnyOf is the same for whatever it sent: messages, and RDMA operations.
func (c *Conn) LostAnyOf(e flow.End, since flow.Ref) bool { return c.lostOf(e, since, c.LastHoleOf(e)) }

func (c *Conn) lostOf(e flow.End, since flow.Ref, hole flow.Moment) bool {
	return c.Limited(LostSince.From(c.party(e)), c.GapOf(e) || c.Connection.BeganLate() && !c.order.bothSentBefore(since) || behind(hole.Ref, since))
}

// DoubtOf is Doubt as far as one end might have sent what is missing.
func (c *Conn) DoubtOf(e flow.End, since flow.Ref) string {
	if c.LostOf(e, since) {
		return finding.DoubtLoss
	}
	return ""
}

// Disordered reports whether the capture shows so far that it does not have the
// frames of the connection in the order in which they were sent: some are out of
// order within their direction, the two directions are not in step, or they come
// from files that were captured at a time. What proves itself by one end's frame
// being before the other's is not proven then. It may show only later.
func (c *Conn) Disordered() bool {
	return c.Limited(Disordered, c.disordered())
}

func (c *Conn) disordered() bool {
	return c.Reordered > 0 || c.Skewed > 0 || c.Mixed
}

// Whole reports whether everything that a proof by absence needs is there: both
// directions, and no frame missing since r.
func (c *Conn) Whole(since flow.Ref) bool { return !c.OneDirection() && !c.LostSince(since) }

// WholeSoFar reports whether it is there from the first frame of the connection on.
func (c *Conn) WholeSoFar() bool {
	return !c.OneDirection() && !c.Limited(Lossy, c.lostSince(c.First))
}

// AllCaptured reports whether the capture has all frames of the connection so far, from its
// setup on, in the order in which they were sent.
func (c *Conn) AllCaptured() bool { return !c.BeganLate() && !c.Disordered() && c.WholeSoFar() }

// EndGuard reports whether a moment is so near to the end of the capture that
// what is missing after it may only be late.
func (c *Conn) EndGuard(time int64) bool {
	return c.Limited(NearEnd, c.Capture.Now-time < int64(c.Capture.Config.EndGuard))
}

// Cut reports whether a message is not whole in the capture: the snap length cut it, or
// frames of it are missing.
func (c *Conn) Cut(m *dissect.Message) bool { return c.Limited(Cut, !m.Whole) }

// Sound reports whether the transport header of a message is there and well formed, and
// of a version that is defined. It is not of an RDMA2_OPTIONAL: its RPC message may be
// a part of one, and what is known of its chunks only an extension says.
func (c *Conn) Sound(m *dissect.Message) bool {
	if m == nil || c.Cut(m) || m.Header.Fault.Bad() {
		return false
	}
	h := &m.Header
	return h.Version == rpcrdma.Version1 || h.Version == rpcrdma.Version2 && h.Proc != rpcrdma.RDMA2Optional
}

// Unclear reports whether nobody knows what a message is in an RPC, so that it may be a
// call, or advertise memory. Operations of transport characteristics do neither, nor
// does the RDMA2_ERROR that refuses one.
func Unclear(m *dissect.Message) bool {
	h := &m.Header
	if h.Version == rpcrdma.Version2 && !h.Fault.Bad() {
		if o := h.Option(); o != nil {
			return !o.Known()
		}
		return false
	}
	return m.Role() == dissect.RoleNone
}

// Opaque reports whether arguments and results of an RPC are protected by
// RPCSEC_GSS, so that nothing in them may be judged; also if that cannot be known.
func (c *Conn) Opaque(r *dissect.RPC) bool {
	h := r.CallHeader()
	return c.Limited(Protected, h == nil || h.Protected() || h.Control())
}

// Doubt is what is in doubt for something that began with a frame: a hole in the
// capture since then, or a late begin if needsStart. It is "" for neither.
func (c *Conn) Doubt(since flow.Ref, needsStart bool) string {
	switch {
	case needsStart && c.BeganLate():
		return finding.DoubtLate
	case c.LostSince(since):
		return finding.DoubtLoss
	}
	return ""
}
