package thresh

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.Cut),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.Lossy.From(rules.Receiver)).Of("messages of version 2"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnMessage(0, message012), rules.OnEnd(end012)},
	}
}

const (
	fewest = 50  // messages of a direction that say anything
	steps  = 256 // of 1024 bytes, as many as private data can express
)

// A tally is what one direction carried.
type tally struct {
	version        uint32 // of the newest message
	messages, long int
	// needed counts the Long messages, nil if there were none, by the step that would
	// have made them Short; the last one is for those that no threshold would.
	needed *[steps + 1]int32
	// longest is the longest Send, header the longest transport header of a call or reply.
	longest, header int
	wide            int // messages whose header is more than a third of the threshold
}

func message012(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.Role() == dissect.RoleNone || c.Cut(m) || m.Header.Fault.Bad() || m.Header.Version != rpcrdma.Version1 && m.Header.Version != rpcrdma.Version2 {
		return
	}
	rules.Some(&state.Of(c).tallies)[m.From&1].addMessage(c, m)
}

func end012(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.tallies == nil {
		return
	}
	for e := range flow.End(2) {
		if t := &k.tallies[e]; t.messages >= fewest {
			t.report(c, report, e)
		}
	}
}

func (t *tally) addMessage(c *rules.Conn, m *dissect.Message) {
	h := &m.Header
	t.version = h.Version
	t.messages++
	t.longest, t.header = max(t.longest, m.Length), max(t.header, h.Length)
	const third = 3
	if h.Length*third > rpcrdma.DefaultThreshold {
		if l, known := setup.ReceivedOf(c).LimitOf(m); known && h.Length*third > l.Bytes {
			t.wide++
		}
	}
	if h.Proc != rpcrdma.RDMANoMsg {
		return
	}
	var n uint64
	if m.Role() == dissect.RoleCall {
		n = shortCall(h)
	} else if h.HasReply {
		n = shortReply(h)
	}
	t.long++
	rules.Some(&t.needed)[min(steps, (n+rpcrdma.DefaultThreshold-1)/rpcrdma.DefaultThreshold)]++
}

// enough is the threshold, in bytes, that would make at least 95 of 100 long
// messages Short; 0 if none would.
func (t *tally) enough() int {
	const percent, all = 95, 100
	sum := 0
	for step, n := range t.needed {
		if sum += int(n); sum*all >= t.long*percent {
			if step == steps {
				break // that many bytes, or more
			}
			return max(1, step) * rpcrdma.DefaultThreshold
		}
	}
	return 0
}

func (t *tally) report(c *rules.Conn, report rules.Reporter, e flow.End) {
	l, known := setup.ReceivedOf(c).LimitAt(t.version, e, c.Last, c.LastTime)
	if !known {
		return
	}
	const (
		rare  = 20   // one long message in so many is not worth much
		roomy = 4096 // the size that Linux peers use unless told otherwise
	)
	enough := 0
	if t.long*rare >= t.messages {
		enough = t.enough()
	}
	unused := l.Bytes > roomy && t.longest*2 <= l.Bytes
	if enough <= l.Bytes && !unused && t.wide == 0 {
		return
	}
	f := report.Moment("", c.Last, c.LastTime, &e, l.Doubt)
	if f == nil {
		return
	}
	var said []string
	if enough > l.Bytes {
		said = append(said, fmt.Sprintf("%d of %d messages of the %s were long; a threshold of %d bytes instead of %d would make 95 %% of them short",
			t.long, t.messages, c.Sender(e), enough, l.Bytes))
	}
	if unused && enough <= l.Bytes {
		said = append(said, fmt.Sprintf("no Send of the %s has more than %d bytes, where %d are allowed", c.Sender(e), t.longest, l.Bytes))
	}
	if t.wide > 0 {
		said = append(said, fmt.Sprintf("the transport header takes more than a third of the threshold of %d in %d messages of the %s, up to %d bytes",
			l.Bytes, t.wide, c.Sender(e), t.header))
	}
	f.Messagef("%s", strings.Join(said, "; "))
	f.See("inline threshold", l.Bytes, nil).See("messages", t.messages, nil).See("Long messages", t.long, nil)
	f.See("longest Send", t.longest, nil).See("longest transport header", t.header, nil)
	if t.long > 0 {
		f.See("bytes needed by Long messages", t.histogram(), nil)
	}
}

// histogram is how many Long messages need how many bytes.
func (t *tally) histogram() string {
	var b strings.Builder
	for step, n := range t.needed {
		if n == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		if step == steps {
			fmt.Fprintf(&b, "more: %d", n)
		} else {
			fmt.Fprintf(&b, "to %d: %d", step*rpcrdma.DefaultThreshold, n)
		}
	}
	return b.String()
}
