package memory

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// known is what is known of a connection's traffic, and what is not. Times are in
// nanoseconds since 1970.
type known struct {
	// advertised says of each end that a message of it named memory; called that it
	// sent a call at all.
	advertised, called [2]bool
	// first is when each end sent the first that was captured, if any was; last the
	// frame of the newest.
	first [2]moment
	last  [2]flow.Ref
	// wasCut is when the latest RDMA Write came of which bytes were not captured,
	// wasLate the newest frame when a call was told, captured or not, after what may
	// have been for it, strayed the latest operation that some call which was not
	// captured may allow, unreadable the latest message that may be a call and of
	// which it is not known what memory it names, orphan the latest answer to each end
	// without a call.
	wasCut, wasLate, strayed, unreadable moment
	orphan                               [2]moment
	// strayedAt is where each end had the newest of strayed, if that has a number.
	strayedAt [2]flow.Point
}

// moment is a time, if it is known.
type moment struct {
	at int64
	ok bool
}

// since reports whether there was such a moment at a time or later.
func (m moment) since(time int64) bool { return m.ok && m.at >= time }

// before reports whether there was such a moment up to a time.
func (m moment) before(time int64) bool { return m.ok && m.at <= time }

// setMoment takes the later of two times.
func (m *moment) setMoment(time int64) {
	if !m.ok || time > m.at {
		*m = moment{time, true}
	}
}

func (k *known) sent(from flow.End, at flow.Ref, time int64) {
	if !k.first[from&1].ok {
		k.first[from&1] = moment{time, true}
	}
	k.last[from&1] = at
}

func (k *known) cut(time int64)   { k.wasCut.setMoment(time) }
func (k *known) late(time int64)  { k.wasLate.setMoment(time) }
func (k *known) blind(time int64) { k.unreadable.setMoment(time) }

// stray notes an operation that some call which was not captured may allow.
func (k *known) stray(a *dissect.Access) {
	k.strayed.setMoment(a.Time)
	if a.Point.Numbered {
		k.strayedAt[a.From&1] = a.Point
	}
}

// unread reports whether there were messages since a time that cannot be read, or answers
// whose calls are missing and which no hole accounts for.
func (k *known) unread(c *rules.Conn, since int64) bool {
	for e := range k.orphan {
		if k.orphan[e].since(since) && !c.AccountedCalls(flow.End(e), 0) {
			return true
		}
	}
	return k.unreadable.since(since)
}

// all reports whether all calls that may be open at a moment were captured, but for those
// that a hole may have had.
func (k *known) all(c *rules.Conn, now int64) bool {
	since := now - int64(settleTime)
	return !c.OneDirection() && !c.Unread && (!c.BeganLate() || c.FirstTime <= since || k.longBegun(c)) && !k.unread(c, since+1)
}

// longBegun reports whether a capture that began late did so long ago, and shows no call that was
// open then.
func (k *known) longBegun(c *rules.Conn) bool {
	return !k.orphan[0].ok && !k.orphan[1].ok && !c.JustBegun(c.Last)
}

// began reports whether nothing is missing of what an end sent before it was heard
// first, or it was heard long enough before a frame at a time.
func (k *known) began(c *rules.Conn, end flow.End, at flow.Ref, time int64) bool {
	late, just := c.BeganLate(), c.JustBegun(at)
	return !late || k.first[end&1].before(time-int64(skewPatience)) || k.first[end&1].ok && !just
}

// apart reports whether the order of a frame and what the other end sends, owner, is
// not that of the capture.
func (k *known) apart(c *rules.Conn, at flow.Ref, owner flow.End) bool {
	return c.Disordered() || k.last[owner&1].File != at.File
}

// waiting is how late what belongs before something may be captured.
func waiting(apart bool) time.Duration {
	if apart {
		return skewPatience
	}
	return patience
}
