package credit

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/report/rules"
)

func credit005() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{accounts()},
		On:    []rules.Event{onEvent(inBoth*(ofCalls|ofAnswers), event005)},
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

// addValue takes the next value, and reports whether the last ones are in step with the
// open calls, or fall by one each.
func (s *series) addValue(value uint32, open int) (tracks, falls bool) {
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

func event005(a *account, e *event, report rules.Reporter) {
	const doubtLimit = "a peer may lower its limit by one with each message"
	l, requester, at, what := a.ledgerOf(e), e.from&1, 0, "requests"
	if e.kind == answered {
		requester, at, what = requester^1, 1, "grants"
	}
	both := &state.Of(a.c).series[requester]
	if *both == nil {
		*both = new([2]series)
	}
	s := &(*both)[at]
	tracks, falls := s.addValue(e.credits, len(l.open))
	if !tracks && !falls {
		return
	}
	doubt := ""
	if !tracks {
		doubt = doubtLimit
	}
	f := report.Moment("", e.frame, e.Time, &e.from, doubt)
	if f == nil {
		return
	}
	f.ForXID(e.xid)
	if tracks {
		f.Messagef("the credits that the %s %s fall and rise as the number of open calls rises and falls: their sum is always %d",
			a.c.Sender(e.from), what, s.sum)
	} else {
		f.Messagef("the credits that the %s %s fall by one with each of %d messages", a.c.Sender(e.from), what, inStep)
	}
	f.See("rdma_credit of the last messages", s.list(), nil).At(e.place)
}
