package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/report/rules"
)

// rates are how fast the data of calls moved to the server and to the client, while any call waited for them.
type rates [2]rateOf

// A rateOf is that of one direction.
type rateOf struct {
	usual latency.Histogram // nanoseconds for a MiB, of each stretch that was not slow
	until int64             // up to when time is counted, in nanoseconds since 1970
	now   stretch
	slow  stretch // stretches in a row that were slow
	worst stretch
	// before and after are nanoseconds for a MiB, usual before the worst and of the stretch after it; 0 if there is none.
	before, after int64
}

// A stretch is a time in which calls waited for data.
type stretch struct {
	first, last flow.Moment
	ns          int64
	moving      int64  // nanoseconds that data were on their way, of all calls together
	taken       int64  // nanoseconds of all calls together
	bytes       uint64 // that moved
	small       bool   // a call moved less than leastAbsolute
}

const (
	leastData     = 16 << 10   // bytes of a call that says anything of a rate
	leastAbsolute = 64 << 10   // bytes of a call whose rate says anything by itself
	wholeTime     = 20_000_000 // nanoseconds of a stretch
	wholeData     = 1 << 20    // bytes of a stretch
	leastUsual    = 4          // stretches, before any rate is usual
	collapsedTo   = 10         // of what is usual, a part
)

// pace is how many nanoseconds a MiB took.
func (s *stretch) pace() int64 { return int64(float64(s.ns) * (1 << 20) / float64(max(s.bytes, 1))) }

// perSecond is how many bytes went in a second.
func perSecond(pace int64) float64 { return (1 << 20) * 1e9 / float64(max(pace, 1)) }

// join adds what came next.
func (s *stretch) join(o *stretch) {
	if s.first.Time == 0 {
		s.first = o.first
	}
	s.last = o.last
	s.ns += o.ns
	s.moving += o.moving
	s.taken += o.taken
	s.bytes += o.bytes
	s.small = s.small || o.small
}

// addRPC takes a call that moved data.
func (x *rateOf) addRPC(c *rules.Conn, r *dissect.RPC, size uint64, phase dissect.Phase) {
	parts, _ := r.Parts()
	moving, _ := parts.Of(phase)
	resent, _ := parts.Of(dissect.PhaseRetransmission)
	begin := max(r.Call.Last, x.until)
	x.until = max(x.until, r.Reply.First)
	next := stretch{
		first: r.Call.Moment(), last: r.Reply.Moment(), ns: max(0, x.until-begin), bytes: size,
		moving: moving + resent, taken: max(0, r.Reply.First-r.Call.Last), small: size < leastAbsolute,
	}
	if next.ns >= wholeTime && x.now.bytes > 0 {
		x.reportEnd(c)
	}
	if x.now.join(&next); x.now.ns >= wholeTime || x.now.bytes >= wholeData {
		x.reportEnd(c)
	}
}

// reportEnd ends a stretch.
func (x *rateOf) reportEnd(c *rules.Conn) {
	now := x.now
	x.now = stretch{}
	if usual := x.usual.Percentile(50); now.isSlow(c, usual, x.usual.Count) {
		if x.slow.ns == 0 {
			x.before = usual
		}
		x.slow.join(&now)
		return
	}
	x.over(c, now.pace())
	x.usual.Add(now.pace())
}

// isSlow reports whether data moved at less than a tenth of the usual rate, or so slowly that this needs no comparison:
// mostly on their way, and not in the server.
func (s *stretch) isSlow(c *rules.Conn, usual, n int64) bool {
	least := c.Capture.Config.SlowData
	return n >= leastUsual && s.pace() > collapsedTo*usual ||
		least > 0 && !s.small && s.moving > s.taken/2 && perSecond(s.pace()) < float64(least)
}

// over ends a row of slow stretches; after is the pace of the next one.
func (x *rateOf) over(c *rules.Conn, after int64) {
	if x.slow.ns > c.Capture.Config.CollapseLimit() && x.slow.ns > x.worst.ns {
		x.worst, x.after = x.slow, after
	}
	x.slow = stretch{}
}
