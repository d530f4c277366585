package credit

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/report/rules"
)

func credit005() *rules.Rule {
	return &rules.Rule{
		ID: "CREDIT-005", Title: "Credit field used as a counter",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The credits that a peer grants or asks for change in step with its messages: they fall by as much as the number of " +
			"open calls rises, or by one with each message.",
		Why: "The field says how many calls may be open in all; it is not what is left of that. A peer that takes it so believes " +
			"that its window shrinks while calls are open, and sends fewer and fewer at a time.",
		Advice:    "Let the sender fill rdma_credit with the limit itself, which does not change when an RPC begins or ends.",
		Reference: "RFC 8166, section 3.3.1; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 4.4",
		Limits: "Eight messages in a row must agree, and the value must have risen and fallen meanwhile. A value that only falls by one each time is only likely a counter. Where calls come " +
			"one at a time what is left is always the same, so that nothing shows.",
		Wide:  true,
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(inBoth*(ofCalls|ofAnswers), event005)},
		Fires: []rules.Sample{
			{Name: "replies grant what is left of eight credits", Scene: `
				connect servercredits=8
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				reply 2; credits 5
				reply 3; credits 6
				reply 4; credits 7
				reply 5; credits 8
				call 6 NFS3 GETATTR
				call 7 NFS3 GETATTR
				call 8 NFS3 GETATTR
				call 9 NFS3 GETATTR
				reply 6; credits 5
				reply 7; credits 6
				reply 8; credits 7; want CREDIT-005 8+4
				reply 9; credits 8
				disconnect`},
			{Name: "each call asks for one credit less", Scene: `
				connect
				call 1 NFS3 GETATTR; credits 20
				reply 1
				call 2 NFS3 GETATTR; credits 19
				reply 2
				call 3 NFS3 GETATTR; credits 18
				reply 3
				call 4 NFS3 GETATTR; credits 17
				reply 4
				call 5 NFS3 GETATTR; credits 16
				reply 5
				call 6 NFS3 GETATTR; credits 15
				reply 6
				call 7 NFS3 GETATTR; credits 14
				reply 7
				call 8 NFS3 GETATTR; credits 13; want CREDIT-005 8+4
				reply 8
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the limit grows with the replies, and the open calls with it", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1; credits 2
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				reply 2; credits 3
				call 4 NFS3 GETATTR
				call 5 NFS3 GETATTR
				reply 3; credits 4
				call 6 NFS3 GETATTR
				call 7 NFS3 GETATTR
				reply 4; credits 5
				call 8 NFS3 GETATTR
				call 9 NFS3 GETATTR
				reply 5; credits 6
				reply 6; credits 7
				reply 7; credits 8
				reply 8; credits 9
				reply 9; credits 10
				disconnect`},
			{Name: "seven messages fall by one", Scene: `
				connect
				call 1 NFS3 GETATTR; credits 20
				reply 1
				call 2 NFS3 GETATTR; credits 19
				reply 2
				call 3 NFS3 GETATTR; credits 18
				reply 3
				call 4 NFS3 GETATTR; credits 17
				reply 4
				call 5 NFS3 GETATTR; credits 16
				reply 5
				call 6 NFS3 GETATTR; credits 15
				reply 6
				call 7 NFS3 GETATTR; credits 14
				reply 7
				call 8 NFS3 GETATTR; credits 14
				reply 8
				disconnect`},
		},
	}
}

// inStep is how many messages must agree.
const inStep = 8

// A series is what one end says in rdma_credit of its calls, or of its answers.
type series struct {
	begun bool
	last  uint32
	sum   int64 // of the value and the open calls
	// changed are the messages since the sum last changed that have another value
	// than those before, fallen those in a row that are one less; both count the
	// first of the row. Rose and fell say which way values went since the sum
	// changed: both, or a limit may just grow while calls end.
	changed, fallen int
	rose, fell      bool
	values          [inStep]uint32 // the newest last
	n               int
}

// add takes the next value, and reports whether the last ones are in step with the
// open calls, or fall by one each.
func (s *series) add(value uint32, open int) (tracks, falls bool) {
	sum := int64(value) + int64(open)
	if !s.begun || sum != s.sum {
		s.changed, s.rose, s.fell = 1, false, false
	} else if value != s.last {
		s.changed++
		s.rose, s.fell = s.rose || value > s.last, s.fell || value < s.last
	}
	if s.begun && value+1 == s.last {
		s.fallen++
	} else {
		s.fallen = 1
	}
	s.begun, s.last, s.sum = true, value, sum
	copy(s.values[:], s.values[1:])
	s.values[inStep-1] = value
	s.n = min(s.n+1, inStep)
	tracks, falls = s.changed >= inStep && s.rose && s.fell, s.fallen >= inStep
	if tracks || falls {
		s.changed, s.fallen = 1, 1
	}
	return tracks, falls
}

// list are the newest values.
func (s *series) list() string {
	var b strings.Builder
	for _, v := range s.values[inStep-s.n:] {
		fmt.Fprintf(&b, "%d ", v)
	}
	return strings.TrimSuffix(b.String(), " ")
}

func event005(a *account, e *event, say rules.Say) {
	const doubtLimit = "a peer may lower its limit by one with each message"
	l, requester, at, what := a.of(e), e.from&1, 0, "asks for"
	if e.kind == answered {
		requester, at, what = requester^1, 1, "grants"
	}
	both := &of(a.c).series[requester]
	if *both == nil {
		*both = new([2]series)
	}
	s := &(*both)[at]
	tracks, falls := s.add(e.credits, len(l.open))
	if !tracks && !falls {
		return
	}
	doubt := ""
	if !tracks {
		doubt = doubtLimit
	}
	f := say.Moment("", e.frame, e.Time, &e.from, doubt)
	if f == nil {
		return
	}
	f.XID, f.HasXID = e.xid, true
	if tracks {
		f.Sayf("what the %s %s falls and rises as the number of open calls rises and falls: both together are always %d",
			a.c.Sender(e.from), what, s.sum)
	} else {
		f.Sayf("what the %s %s falls by one with each of %d messages", a.c.Sender(e.from), what, inStep)
	}
	f.See("rdma_credit of the last messages", s.list(), nil).At(e.place)
}
