package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.NearEnd), rules.SilentIf(rules.LostSince.From(rules.Responder)).Since("the packet was first sent"), rules.LikelyIf(rules.Lossy)},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onOutOfOrdinary(packet006), rules.OnEnd(end006)},
	}
}

// mostRetries is the largest retry count (three bits of the REQ; IBA chapter 12).
const mostRetries = 7

// silence is what an end sent again without an answer.
type silence struct {
	number uint32 // PSN or sequence number
	times  int    // how often it was retransmitted
	first  flow.Moment
	last   flow.Moment
	least  int64 // the shortest pause between two tries, in nanoseconds, 0 for none
}

// packet006 looks for what goes again while the peer does not answer.
func packet006(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if !again(v) {
		return
	}
	from := v.Verdict.From & 1
	e := &rules.Some(&state.Of(c).silences)[from]
	e.broken(&c.LastSeen(from ^ 1).New)
	switch {
	case v.IB == nil:
		e.resent(v, v.Link.TCP.Seq, int(int32(v.Link.TCP.Seq-e.number)))
	case v.IB.OpCode.Transport() != rocev2.TransportUD && v.IB.OpCode.IsRequest():
		e.resent(v, v.IB.PSN, int(rocev2.PSNDiff(v.IB.PSN, e.number)))
	}
}

// broken forgets what an end sent again if its peer has sent something since: life is
// the last that it did.
func (e *silence) broken(life *flow.Moment) {
	if e.times > 0 && (life.Ref.File != e.last.Ref.File || life.Ref.Number > e.last.Ref.Number) && life.Ref.Number != 0 {
		e.times = 0
	}
}

// A round of repetitions is over when this time, in nanoseconds, has gone by since
// the packet was retransmitted: no time-out is shorter.
const round = int64(100 * time.Microsecond)

// resent notes a packet that was retransmitted, which lies that far behind the one
// that begins each round.
func (e *silence) resent(v *dissect.FrameView, number uint32, behind int) {
	if e.times > 0 && behind > 0 {
		return // the rest of the round
	}
	if e.times == 0 || behind < 0 {
		e.number, e.times, e.first, e.least = number, 0, rules.Moment(v), 0
	}
	if e.times > 0 {
		pause := v.Frame.Time - e.last.Time
		if pause < round {
			return
		}
		if e.least == 0 || pause < e.least {
			e.least = pause
		}
	}
	e.times++
	e.last = rules.Moment(v)
}

// givesUp is how often an end sends again, without an answer, before a disconnect
// is taken for the consequence, and leastRetries how often at least, whatever the
// retry count: an answer may be missing from the capture without a trace.
const (
	givesUp      = 3
	leastRetries = 2
)

// noAnswer is the doubt where the last try is needed for the proof: nothing shows
// that what came after it is missing.
const noAnswer = "an answer to the last retransmission may be missing from the capture"

// noOtherPacket and tooSoon are the doubts where the capture may lack what the peer sends.
const (
	noOtherPacket = "the capture has no other packet of the peer on the connection, either"
	tooSoon       = "the packet was retransmitted sooner than the Local ACK Timeout allows: NAKs may be missing from the capture"
)

func end006(c *rules.Conn, report rules.Reporter) {
	ends := ifAny(c).silences
	if ends == nil {
		return
	}
	w := wireOf(c)
	for end := range ends {
		e := &ends[end]
		e.broken(&c.LastSeen(flow.End(end) ^ 1).New)
		limit := mostRetries
		retries, told := retries(c)
		if told {
			limit = max(retries, leastRetries)
		}
		closed := c.Closing != flow.Open && e.times >= givesUp
		exhausted := e.times >= limit && !c.EndGuard(e.last.Time)
		if !closed && !exhausted || w.refusals != nil && w.refusals.rnrs[end^1].Ref.Number != 0 || c.OneDirection() || c.LostAnyOf(flow.End(end)^1, e.first.Ref) {
			continue
		}
		peer := flow.End(end) ^ 1
		report, doubt := report, ""
		switch {
		case e.times-1 < limit:
			report, doubt = report.As(finding.Warning), noAnswer
		case c.LastSeen(peer).New.Ref.Number == 0:
			doubt = noOtherPacket
		case e.least > 0 && e.least < int64(setup.AckTimeout(c)):
			doubt = tooSoon
		case c.Lossy():
			doubt = finding.DoubtLoss
		}
		f := report.Moment("", e.last.Ref, e.last.Time, &peer, doubt)
		if f == nil {
			continue
		}
		what := "PSN"
		if c.IWARP() {
			what = "sequence number"
		}
		f.Messagef("the %s retransmitted %s %d %s and the %s never answered", c.Sender(peer^1), what, e.number, field.Counted(e.times, "time"), c.Sender(peer))
		f.See("retries", e.times, nil).With(e.first.Ref)
		if told {
			f.See("retry count", retries, nil)
		}
		if life := c.LastSeen(peer).New; life.Ref.Number != 0 {
			f.With(life.Ref)
			f.See("last packet of the "+c.Sender(peer), "frame "+c.Capture.FrameName(life.Ref), nil)
		}
	}
}
