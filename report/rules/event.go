package rules

import "github.com/rdmacap/rdmacap/dissect"

// An Event is what a rule, or a Knowledge, looks at on a connection, with the function
// that is called for it. The function keeps nothing of its own between events: what
// must be remembered of a connection is kept in a ConnSlot. What it is handed is valid
// during the call only.
//
// The need of an Event is a bit mask: the function is called if any of its bits is set, and
// for everything if the need is 0. It only saves calls: the function must find the same when it is
// called for everything, which a test checks (Checker.IgnoreNeeds).
type Event struct {
	join            func(t *tables, at place)
	crossConnection func(a *CrossConnection, at place) // nil for what only a Checker looks at
}

// OnBegin calls do once for each connection, before any other Event: when the rules first
// see it, or for a rule that asks for a Protocol (Rule.Speaks), when it first speaks that.
func OnBegin(do func(c *Conn, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.begin.addStep(at, 0, plainly(do)) }}
}

// OnSetUp calls do once for each connection, before any other Event that follows the
// setup: when the connection is established, or when it is known that its setup was
// not captured or failed.
func OnSetUp(do func(c *Conn, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.setUp.addStep(at, 0, plainly(do)) }}
}

// OnFrame calls do for each frame of the connection that is one of need, after what it
// completed.
func OnFrame(need FrameClass, do func(c *Conn, v *dissect.FrameView, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.frame.addStep(at, Class(need), do) }}
}

// OnMessage calls do for each RPC-over-RDMA message that is one of need.
func OnMessage(need Class, do func(c *Conn, m *dissect.Message, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.message.addStep(at, need, do) }}
}

// OnAccess calls do for each packet or segment of an RDMA Write, each RDMA Read request
// and each packet or segment of its response that is one of need.
func OnAccess(need AccessClass, do func(c *Conn, a *dissect.Access, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.access.addStep(at, Class(need), do) }}
}

// OnRPC calls do when an RPC is over, answered and complete or given up, that is one of
// need.
func OnRPC(need Class, do func(c *Conn, r *dissect.RPC, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.rpc.addStep(at, need, do) }}
}

// OnCheckedRPC calls do for an RPC after OnRPC of all rules: Conn.Reported knows what they found.
func OnCheckedRPC(need Class, do func(c *Conn, r *dissect.RPC, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.checkedRPC.addStep(at, need, do) }}
}

// OnTick calls do when time went by, if the rule or another asked for it by Conn.Remind:
// for detecting that nothing happens. It is called more often while no frame comes live. Now is in nanoseconds
// since 1970.
func OnTick(do func(c *Conn, now int64, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.tick.addStep(at, 0, do) }}
}

// OnEnd calls do when the connection is over, or the capture is.
func OnEnd(do func(c *Conn, report Reporter)) Event {
	return Event{join: func(t *tables, at place) { t.end.addStep(at, 0, plainly(do)) }}
}

// On calls do for what a Knowledge found and raised by Raise: an event is known by its
// type. What the bits of need mean is defined by that Knowledge, which is among the Needs of
// the rule.
func On[T any](need Class, do func(c *Conn, x *T, report Reporter)) Event {
	return Event{join: func(t *tables, at place) {
		for _, d := range t.derived {
			if d, ok := d.(*table[*Conn, *T]); ok {
				d.addStep(at, need, do)
				return
			}
		}
		d := new(table[*Conn, *T])
		d.addStep(at, need, do)
		t.derived = append(t.derived, d)
	}}
}

// Raise notifies the rules of the connection at once of what a Knowledge found, which has the
// bits of a class.
func Raise[T any](c *Conn, of Class, x *T) {
	for _, d := range c.tables.derived {
		if d, ok := d.(*table[*Conn, *T]); ok {
			d.emit(c, &c.reportState, of, x)
			return
		}
	}
}

// A CaptureEvent is what a rule looks at in the whole capture.
type CaptureEvent struct {
	join            func(t *table[*Capture, *dissect.FrameView], at place)
	crossConnection func(a *CrossConnection, at place)
}

// OnCaptureFrame calls do for each frame of the capture that is one of need, before the
// rules of its connection are. What there is to say of it is published (PublishOfCapture).
func OnCaptureFrame(need FrameClass, do func(k *Capture, v *dissect.FrameView)) CaptureEvent {
	return CaptureEvent{join: func(t *table[*Capture, *dissect.FrameView], at place) {
		t.addStep(at, Class(need), func(k *Capture, v *dissect.FrameView, _ Reporter) { do(k, v) })
	}}
}

// OnCaptureEnd calls do in CrossConnection when all connections are over, for the capture's ConnRef.
func OnCaptureEnd(do func(e *ConnRef, report Reporter)) CaptureEvent {
	return CaptureEvent{crossConnection: func(a *CrossConnection, at place) { a.end.addStep(at, 0, plainly(do)) }}
}

// nothing is what an event hands on that has nothing to tell but that it happened.
type nothing struct{}

func plainly[O any](do func(o O, report Reporter)) func(O, nothing, Reporter) {
	return func(o O, _ nothing, report Reporter) { do(o, report) }
}
