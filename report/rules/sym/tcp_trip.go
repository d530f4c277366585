package sym

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A tcpTrip is two large segments in a row, which TCP acknowledges at once, unlike one (RFC 5681, section 4.2).
type tcpTrip struct {
	next uint32 // after the first of them, while one is waited for
	last int64  // when that came, 0 if none is there
	end  uint32 // after the second
	at   int64  // when that came
	open bool
}

const (
	largeSegment = 1000
	inARow       = 1e6 // nanoseconds between the two
)

// segment takes a segment of the end that sends the data.
func (t *tcpTrip) segment(p *link.Packet, note flow.Note, now int64) {
	n := p.End() - p.TCPData()
	if n < largeSegment || note != flow.InOrder || t.open {
		return
	}
	next := p.TCP.Seq + uint32(n)
	if t.last != 0 && p.TCP.Seq == t.next && now-t.last < inARow {
		*t = tcpTrip{end: next, at: now, open: true}
		return
	}
	t.next, t.last = next, now
}

// segment011 takes a segment of iWARP: it may be one of data, and acknowledge others.
func segment011(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	if v.IB != nil || !c.IWARP() {
		return
	}
	p, from := v.Link, v.Verdict.From&1
	if p.End()-p.TCPData() >= largeSegment {
		rules.Some(&state.Of(c).trips).tcp[from].segment(p, v.Verdict.Note, v.Frame.Time)
	}
	k := state.IfAny(c)
	if k == nil || k.trips == nil || !p.TCP.Flags.Has(link.ACK) {
		return
	}
	waits := from ^ 1
	t := &k.trips.tcp[waits]
	if !t.open || int32(p.TCP.Ack-t.end) < 0 {
		return
	}
	answered := trip{at: t.at, open: true}
	*t = tcpTrip{}
	k.trips.back(c, &answered, waits, rules.Moment(v), report)
}
