package memory

import (
	"time"

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
	// wasCut is when the latest RDMA Write came of which octets were not captured,
	// wasLate the newest frame when a call was told, captured or not, behind what may
	// have been for it, strayed the latest operation that some call which was not
	// captured may allow, unreadable the latest message that may be a call and of
	// which it is not known what memory it names.
	wasCut, wasLate, strayed, unreadable moment
}

// moment is a time, if it is known.
type moment struct {
	at int64
	ok bool
}

// since reports whether there was such a moment at a time or later.
func (m moment) since(time int64) bool { return m.ok && m.at >= time }

// put takes the later of two times.
func (m *moment) put(time int64) {
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

func (k *known) cut(time int64)   { k.wasCut.put(time) }
func (k *known) late(time int64)  { k.wasLate.put(time) }
func (k *known) stray(time int64) { k.strayed.put(time) }
func (k *known) blind(time int64) { k.unreadable.put(time) }

// unread reports whether there were messages since a time that cannot be read.
func (k *known) unread(since int64) bool { return k.unreadable.since(since) }

// all reports whether all calls that may be open at a moment were captured.
func (k *known) all(c *rules.Conn, now int64) bool {
	since := now - int64(settling)
	return !c.OneDirection() && !c.Unread && (!c.BeganLate() || c.FirstTime <= since) &&
		!c.HoleSince(since+1) && !k.unreadable.since(since+1)
}

// began reports whether nothing is missing of what an end sent before it was heard
// first, or it was heard long enough before a time.
func (k *known) began(c *rules.Conn, end flow.End, time int64) bool {
	return !c.BeganLate() || k.first[end&1].ok && k.first[end&1].at <= time-int64(skewPatience)
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
