package dissect

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// maxChanges bounds a Timeline. It is more than a peer that is in its senses
// announces on one connection.
const maxChanges = 64

// A Change is a value of a transport characteristic that an end announced
// (draft-dnoveck-nfsv4-rpcrdma-xcharext-00). Only the three that are defined are
// kept.
type Change struct {
	ID rpcrdma.CharacteristicID
	// Value is the value if Known. It is not known where the message is malformed
	// or not whole in the capture, or a RESP_XCHAR whose REQ_XCHAR is not.
	Value uint32
	Known bool
	// By is the operation: an INIT_XCHAR, a RESP_XCHAR by which a request was done,
	// or an UPD_XCHAR. NoChange says that the INIT_XCHAR promised not to change it.
	By       rpcrdma.OptionType
	NoChange bool
	// Frame is the last frame of the message, Time when it was captured, in
	// nanoseconds since 1970, or 0. The value is in force for what is sent later.
	Frame flow.Ref
	Time  int64
}

// A Timeline is what one end of a connection announced, in the order of the
// capture; of a great many changes the first are forgotten. The nil Timeline is
// that of an end that announced nothing.
type Timeline struct {
	changes []Change
	since   Change // what came before it may have been forgotten
}

// Characteristics is what an end announced, so far. It is valid as long as the
// Connection, and grows with it.
func (c *Connection) Characteristics(e flow.End) *Timeline {
	if c.v2 == nil {
		return nil
	}
	return &c.v2.timelines[e]
}

// Changes are the changes that are remembered.
func (t *Timeline) Changes() []Change {
	if t == nil {
		return nil
	}
	return t.changes
}

// Now is the value in force; not ok if the end announced none, so that the default
// holds (rpcrdma.CharacteristicID.Default).
func (t *Timeline) Now(id rpcrdma.CharacteristicID) (Change, bool) {
	for _, c := range slices.Backward(t.Changes()) {
		if c.ID == id {
			return c, true
		}
	}
	return Change{}, false
}

// At is the value that was in force when a frame was captured; where that was
// forgotten, a Change that is not Known.
func (t *Timeline) At(id rpcrdma.CharacteristicID, frame flow.Ref, time int64) (Change, bool) {
	if t == nil {
		return Change{}, false
	}
	at := Change{ID: id, Frame: frame, Time: time}
	if t.since.By != 0 && at.before(&t.since) {
		return at, true
	}
	for _, c := range slices.Backward(t.changes) {
		if c.ID == id && c.before(&at) {
			return c, true
		}
	}
	return Change{}, false
}

// before reports whether a change was captured before another.
func (c *Change) before(d *Change) bool {
	if c.Time != 0 && d.Time != 0 && c.Time != d.Time {
		return c.Time < d.Time
	}
	return c.Frame.Compare(d.Frame) < 0
}

// addChange notes a change.
func (t *Timeline) addChange(c Change) {
	if len(t.changes) >= maxChanges {
		t.forget()
	}
	at := len(t.changes)
	for at > 0 && c.before(&t.changes[at-1]) {
		at-- // messages may be told out of order
	}
	t.changes = slices.Insert(t.changes, at, c)
}

// forget drops the first change that another has followed. There is one: there are
// more changes than characteristics.
func (t *Timeline) forget() {
	for i := range t.changes {
		next := slices.IndexFunc(t.changes[i+1:], func(c Change) bool { return c.ID == t.changes[i].ID })
		if next < 0 {
			continue
		}
		if s := t.changes[i+1+next]; t.since.By == 0 || t.since.before(&s) {
			t.since = s
		}
		t.changes = slices.Delete(t.changes, i, i+1)
		return
	}
}
