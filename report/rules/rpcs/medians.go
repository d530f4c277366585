package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/stats"
)

const (
	// mostSubjects is how many procedures and operations of a connection are told
	// apart; those that come later are not judged.
	mostSubjects = 24
	// fewSamples is how many calls it takes to know what is usual.
	fewSamples = 16
	// manyCompounds is the number of COMPOUNDs behind which only one of sampled is
	// looked into, which then counts as so many.
	manyCompounds = 24
	sampled       = 8
)

// A subject is what calls have in common whose times are compared.
type subject struct {
	procedure
	operation string // of a COMPOUND
	reverse   bool
}

// medians know how long the calls of a connection usually take.
type medians struct {
	list      map[subject]*usual
	compounds int64
	ops       []dissect.Op
}

// usual are the times of one subject.
type usual struct {
	stats.Histogram
	// median is what it was when it was last looked for, with count samples.
	median, count int64
}

// exceeded reports whether a time is more than factor times the median, which it
// returns. The median is looked for only where it may be so.
func (x *usual) exceeded(ns int64, factor float64) (median int64, yes bool) {
	if x.count == 0 || x.Count >= 2*x.count || float64(ns) > factor*float64(x.median)/2 {
		x.median, x.count = x.Percentile(50), x.Count
	}
	return x.median, float64(ns) > factor*float64(x.median)
}

// add enters the time that an RPC took, in nanoseconds, and reports whether it is
// more than factor times the median of those before; not if they are too few to
// judge by, or if it did not take long. One that did is always entered.
func (m *medians) add(r *dissect.RPC, ns int64, long bool, factor float64) (median int64, slow bool) {
	h := r.CallHeader()
	s := subject{procedure: procedureOf(h), reverse: r.Reverse()}
	weight := 1
	const compound = 1 // and CB_COMPOUND
	if h.Procedure == compound && (s.reverse || h.Program == rpc.ProgramNFS && h.Version == 4) {
		m.compounds++
		if m.compounds > manyCompounds && !long {
			if m.compounds%sampled != 0 {
				return 0, false
			}
			weight = sampled
		}
		m.ops = r.Ops(m.ops[:0])
		op := dissect.MainOperation(m.ops)
		if op == nil {
			return 0, false
		}
		s.operation = op.Name
	}
	x := m.list[s]
	if x == nil {
		if len(m.list) == mostSubjects {
			return 0, false
		}
		if m.list == nil {
			m.list = make(map[subject]*usual)
		}
		x = new(usual)
		m.list[s] = x
	}
	if long && x.Count >= fewSamples {
		median, slow = x.exceeded(ns, factor)
	}
	for range weight {
		x.Add(ns)
	}
	return median, slow
}
