package own

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A pending is an event that something must follow, or must not.
type pending struct {
	at        flow.Moment
	past      rules.PastMessage
	isMessage bool // past has an XID
}

// A follower is an event that is what must, or must not, follow.
type follower struct {
	at  flow.Moment
	say func() *rules.Finding
}

// How many events may wait: of a rule on a connection, and of all rules on all connections
// of a rules.Checker. Of more the oldest are not judged, or no further ones.
const (
	mostOfConn = 64
	mostOfAll  = 1 << 16
)

// waiting is what waits on all connections of a Checker. Nothing is kept of a connection on
// which nothing does.
type waiting struct {
	lists map[waitingKey][]pending
	count int
}

// waitingSlot is where a Checker keeps it.
const waitingSlot = rules.CaptureSlot[waiting](rules.KeepsOwn)

type waitingKey struct {
	conn *rules.Conn
	of   *conditions
}

func (c *conditions) waiting(conn *rules.Conn) (w *waiting, key waitingKey) {
	w = waitingSlot.Of(conn.Capture)
	if w.lists == nil {
		w.lists = make(map[waitingKey][]pending)
	}
	return w, waitingKey{conn, c}
}

// set keeps a list; an empty one is forgotten.
func (w *waiting) set(key waitingKey, list []pending) {
	w.count += len(list) - len(w.lists[key])
	if len(list) == 0 {
		delete(w.lists, key)
		return
	}
	w.lists[key] = list
}

// wait notes an event that something is to follow.
func (c *conditions) wait(conn *rules.Conn, p pending) {
	w, key := c.waiting(conn)
	if w.count >= mostOfAll {
		return
	}
	list := w.lists[key]
	if len(list) == mostOfConn {
		list = slices.Clone(list[1:])
		w.count--
		w.lists[key] = list
	}
	w.set(key, append(slices.Clip(list), p))
	conn.Remind()
}

// follows takes what must follow, or must not.
func (c *conditions) follows(conn *rules.Conn, f follower) {
	w, key := c.waiting(conn)
	list := w.lists[key]
	if len(list) == 0 || c.never && conn.Disordered() {
		return
	}
	follows := func(p pending) bool {
		return p.at.Before(f.at) && f.at.Time-p.at.Time <= int64(c.within)
	}
	if !c.never {
		w.set(key, slices.DeleteFunc(slices.Clone(list), follows))
		return
	}
	for i := len(list) - 1; i >= 0; i-- {
		if !follows(list[i]) {
			continue
		}
		found := f.say()
		c.found(found)
		if found != nil {
			found.See("followed within", c.then.text, nil)
			found.With(list[i].past.Ref)
		}
		return
	}
}

// tick judges what has waited long enough. A message that is told late, after others that
// were waited for, may still be in time: there is EndGuard for that.
func (c *conditions) tick(conn *rules.Conn, now int64, report rules.Reporter) {
	w, key := c.waiting(conn)
	old := w.lists[key]
	if len(old) == 0 {
		return
	}
	var list []pending
	for _, p := range old {
		switch late := now - p.at.Time - int64(c.within) - int64(conn.Capture.Config.EndGuard); {
		case late <= 0 || !c.never && conn.Gap():
			list = append(list, p)
		case !c.never && !conn.OneDirection() && !conn.LostSince(p.past.Ref) && !conn.Disordered():
			c.missed(report, p)
		}
	}
	if w.set(key, list); len(list) > 0 {
		conn.Remind()
	}
}

// missed says that nothing followed.
func (c *conditions) missed(report rules.Reporter, p pending) {
	var f *rules.Finding
	if p.isMessage {
		f = report.Past("", &p.past, "")
	} else {
		f = report.Moment("", p.past.Ref, p.past.Time, &p.past.From, "")
	}
	c.found(f)
	if f != nil {
		f.See("followed within "+c.within.String(), "nothing", c.then.text)
	}
}

// forget drops what waits on a connection that is over: what would have followed is not
// known.
func (c *conditions) forget(conn *rules.Conn, _ rules.Reporter) {
	w, key := c.waiting(conn)
	w.set(key, nil)
}

// momentOf is when a frame was captured.
func momentOf(v *dissect.FrameView) flow.Moment {
	return flow.Moment{Ref: rules.Ref(v), Time: v.Frame.Time}
}
