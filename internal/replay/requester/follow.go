package requester

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A step is a message that is to be sent, or what has to be there first.
type step struct {
	kind    stepKind
	message *script.Message
	call    *script.Call // nil for a Send that carries no call
	// first is the call on an earlier connection of which this is the retransmission, nil if it is none.
	first *script.Call
	// gap is the time in the capture since the message before.
	gap time.Duration
	// turn is its place among the steps of all connections that are replayed together.
	turn int
}

type stepKind uint8

const (
	stepSend stepKind = iota
	stepAwait
	// stepClose closes the connection, whatever is open, as it ended in the capture.
	stepClose
	// stepKeep has the connection stay until all others are through their steps.
	stepKeep
)

// following goes through the messages of a capture, of one connection or of several, in their order.
type following struct {
	plans []*Plan
	// turns has a place for each step, and one where each connection is made.
	turns []turn
	most  int // Options.MaxCalls
	calls int
	// before is the time of the last message that became a step.
	before int64
	state  []followed
	// sent are the first calls of their kind, by a hash of this seed.
	sent map[sender]sentCall
	seed maphash.Seed
}

// followed is how far a connection came.
type followed struct {
	first         int64 // time of the first message
	open          map[*script.Call]bool
	begun, closed bool
	left          int // messages that are still to come
}

// A turn is a step of one of several connections, or that it is made.
type turn struct {
	plan int
	dial bool
	gap  time.Duration // before a connection is made
}

// follow makes the steps of plans.
func follow(plans []*Plan, most int) *following {
	f := &following{plans: plans, most: most, state: make([]followed, len(plans)), sent: make(map[sender]sentCall), seed: maphash.MakeSeed()}
	type at struct {
		m    *script.Message
		plan int
	}
	var list []at
	for i, p := range plans {
		f.state[i].open, f.state[i].left = make(map[*script.Call]bool), len(p.Conversation.Messages)
		for _, m := range p.Conversation.Messages {
			list = append(list, at{m, i})
		}
	}
	if f.together() {
		slices.SortStableFunc(list, func(a, b at) int { return cmp.Compare(a.m.Order, b.m.Order) })
	}
	for _, x := range list {
		f.ended(x.m.Time)
		f.message(x.plan, x.m)
	}
	f.ended(math.MaxInt64)
	for i := range plans {
		if f.together() && f.state[i].begun && !f.state[i].closed {
			f.addStep(i, step{kind: stepKeep})
		}
	}
	return f
}

// together reports whether there are several connections.
func (f *following) together() bool { return len(f.plans) > 1 }

// message makes a step of a message, if it is to be one.
func (f *following) message(i int, m *script.Message) {
	p, state := f.plans[i], &f.state[i]
	state.left--
	if state.first == 0 {
		state.first = m.Time
	}
	s := step{message: m, gap: time.Duration(max(0, m.Time-f.before))}
	if f.before == 0 || m.Time == 0 {
		s.gap = 0
	}
	switch call := m.Call; {
	case m.ToServer && m.Role == dissect.RoleCall && call != nil, m.ToServer && m.Role == dissect.RoleNone:
		if !p.send(&s, f.calls == f.most) {
			return
		}
		if call != nil && f.together() {
			s.first = f.retransmitted(i, call)
		}
		f.beginStep(i, &s)
		if call != nil {
			f.calls++
			state.open[call] = true
			p.Most = max(p.Most, len(state.open))
		}
	case !m.ToServer && m.Role == dissect.RoleAnswer && call != nil && !call.Reverse && state.open[call]:
		delete(state.open, call)
		s.kind, s.call = stepAwait, call
	default:
		return
	}
	f.addStep(i, s)
	f.before = m.Time
	p.Span = time.Duration(max(0, m.Time-state.first))
}

// addStep adds a step.
func (f *following) addStep(i int, s step) {
	s.turn = len(f.turns)
	f.turns = append(f.turns, turn{plan: i})
	f.plans[i].steps = append(f.plans[i].steps, s)
}

// send reports whether a Send can be sent, and counts it; full says that no more calls are to be sent.
func (p *Plan) send(s *step, full bool) bool {
	m := s.message
	if m.Missing != "" || m.Length != len(m.Bytes) {
		p.Skipped = append(p.Skipped, fmt.Sprintf("frame %d, a message of %d bytes: %s", m.Frame.Number, m.Length, m.Missing))
		return false
	}
	if m.Call == nil {
		p.Others++
	} else {
		if full {
			p.Left++
			return false
		}
		p.Calls++
		s.call = m.Call
		size := uint64(0)
		for i := range m.Call.Segments {
			size += uint64(m.Call.Segments[i].Length)
		}
		p.Segments += len(m.Call.Segments)
		p.Registered += size
		p.MostRegistered = max(p.MostRegistered, size)
		p.MadeUp += m.Call.MadeUp()
	}
	p.Longest = max(p.Longest, m.Length)
	return true
}
