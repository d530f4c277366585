package memory

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Checker finds the RDMA operations of a connection that no call allows, and knows
// whether the capture has all that were for an RPC. What is allowed, nearly all,
// costs a few comparisons.
type Checker struct {
	c      *rules.Conn
	ledger *Ledger
	held   []Violation
	known  known
	// writing is the RDMA Write of each end that is under way, over iWARP, where
	// only its segments say where it goes.
	writing [2]writing
	writes  int64
}

// checkerSlot is where each connection keeps it.
const checkerSlot = rules.ConnSlot[Checker](rules.KeepsMemoryChecker)

// writing is one RDMA Write so far.
type writing struct {
	handle     uint32
	start, end uint64 // offsets
	message    int64
}

// CheckerOf is the Judge of a connection, for rules that need CheckerKnowledge.
func CheckerOf(c *rules.Conn) *Checker {
	j := checkerSlot.Of(c)
	if j.c == nil {
		j.c, j.ledger = c, Of(c)
	}
	return j
}

// OnViolation calls do for each operation with a verdict, once nothing that may come excuses
// it. Verdict is not Fits.
func OnViolation(v Verdict, do func(c *rules.Conn, o *Violation, report rules.Reporter)) rules.Event {
	return rules.On(v.class(), func(c *rules.Conn, o *Violation, report rules.Reporter) {
		if o.Verdict == v {
			do(c, o, report)
		}
	})
}

// class is the bit of an operation with the verdict.
func (v Verdict) class() rules.Class { return 1 << v }

// Ledger has the grants that it judges by.
func (j *Checker) Ledger() *Ledger { return j.ledger }

// CheckerKnowledge looks at each operation.
func CheckerKnowledge() rules.Knowledge {
	gates := []rules.Limitation{rules.BeganLate, rules.JustBegun, rules.OneDirection, rules.LostSince, rules.Disordered, rules.NothingFollows}
	return rules.Knowledge{Keeping: rules.KeepsMemoryChecker, Limitations: gates, On: []rules.Event{
		rules.OnAccess(0, func(c *rules.Conn, a *dissect.Access, _ rules.Reporter) { CheckerOf(c).access(a) }),
		rules.OnMessage(0, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) { CheckerOf(c).message(m) }),
		rules.OnFrame(rules.Awaited, frame),
		rules.OnEnd(func(c *rules.Conn, _ rules.Reporter) { CheckerOf(c).atEnd() }),
	}}
}

func (j *Checker) access(a *dissect.Access) {
	if a.Kind == dissect.AccessReadData {
		if len(j.held) > 0 {
			j.answer(a)
		}
		return // judged with its request
	}
	if len(a.Frames) == 0 {
		return
	}
	at := a.Frames[len(a.Frames)-1]
	j.known.sent(a.From, at, a.Time)
	if len(j.held) > 0 {
		j.owner(a.From, at, a.Time, nil)
	}
	if a.Length == 0 && a.Announced == 0 {
		return // it touches no memory
	}
	if g := a.Region; g != nil && a.Kind == dissect.AccessWrite && !seen(g, a) {
		j.known.cut(a.Time)
	}
	if a.Announced > 0 && !a.First {
		return // judged with the first packet
	}
	write := &j.writing[a.From&1]
	if a.Announced == 0 {
		if a.First || write.handle != a.Handle || write.end != a.Offset {
			j.writes++
			*write = writing{a.Handle, a.Offset, a.Offset, j.writes}
		}
		write.end += uint64(a.Length)
		if last := len(j.held) - 1; last >= 0 && j.held[last].message == write.message {
			o := &j.held[last]
			o.Length = size(write.end - o.Offset)
			return
		}
	}
	length := max(uint64(a.Length), uint64(a.Announced))
	if g := a.Region; g != nil && g.Over == Live && a.Offset-g.Offset+length <= uint64(g.Length) {
		return
	}
	if !j.c.RPCRDMA() {
		j.known.stray(a) // unless it turns out to be something else
		return
	}
	o := Violation{Access: *a}
	if a.Announced == 0 {
		o.Offset, length, o.message = write.start, write.end-write.start, write.message
	}
	o.Length = size(length)
	j.offends(&o)
}

// size is a length as an Access has it.
func size(length uint64) int { return int(min(length, math.MaxInt)) }

// seen reports whether the bytes of an RDMA Write were captured.
func seen(g *rpcrdma.Region, a *dissect.Access) bool {
	from := a.Offset - g.Offset
	to := min(from+uint64(a.Length), uint64(g.Length))
	if n := len(g.Seen); n > 0 && g.Seen[n-1].Start <= from && to <= g.Seen[n-1].End {
		return true
	}
	return g.Seen.Covers(from, to)
}

// message lets a call excuse what it allows.
func (j *Checker) message(m *dissect.Message) {
	h := &m.Header
	at := m.Frame()
	j.known.sent(m.From, at, m.Last)
	switch m.Role() {
	case dissect.RoleAnswer:
		if r := m.RPC(); r != nil && r.Call == nil {
			j.known.orphan[r.Requester&1].setMoment(m.Last) // its call was not captured so far
		}
		h = nil
	case dissect.RoleCall:
		j.known.called[m.From&1] = true
		if at != j.c.Connection.Last {
			j.known.late(j.c.LastTime)
		}
	}
	if h != nil && h.Fault.Bad() || rules.Unclear(m) {
		j.known.blind(m.Last)
	}
	if h != nil && len(h.Reads)+len(h.Segments) > 0 {
		j.known.advertised[m.From&1] = true
	}
	if len(j.held) > 0 {
		j.owner(m.From, at, m.Last, h)
	}
}
