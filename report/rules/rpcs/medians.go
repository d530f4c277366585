package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

const (
	// mostSubjects is how many procedures and operations of a connection are told
	// apart; those that come later are not judged.
	mostSubjects = 24
	// fewSamples is how many calls it takes to know what is usual.
	fewSamples = 16
	// manyCompounds is the number of COMPOUNDs after which only one of sampled is
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
	list      []*usual  // by subject: there are few
	first     [4]*usual // the place of list until there are more
	compounds int64
}

// usualOf are the times of a subject, nil if there are none.
func (m *medians) usualOf(s *subject) *usual {
	for _, x := range m.list {
		if x.operation == s.operation && x.procedure == s.procedure && x.reverse == s.reverse {
			return x
		}
	}
	return nil
}

// usual are the times of one subject.
type usual struct {
	subject
	// few are the first of them, as long as nobody asks and there are few: most
	// subjects never have more.
	few   []timed
	first [fewSamples / 2]timed // the place of few until there are more
	all   *latency.Histogram
	// samples is how many there are.
	samples int64
	// median is what it was when it was last looked for, with count samples.
	median, count int64
}

// timed is a time, which counts as so many: nanoseconds, at most 18 years, and their
// weight in the lowest bits.
type timed int64

const weightBits = 4

func timedOf(ns, weight int64) timed {
	const most = 1<<(63-weightBits) - 1
	return timed(min(ns, most)<<weightBits | weight)
}

func (t timed) ns() int64     { return int64(t) >> weightBits }
func (t timed) weight() int64 { return int64(t) & (1<<weightBits - 1) }

// mostFew is how many of the first times are kept as they are.
const mostFew = 32

// addLatency counts a time.
func (x *usual) addLatency(t timed) {
	x.samples += t.weight()
	if x.all == nil && len(x.few) < mostFew {
		x.few = append(x.few, t)
		return
	}
	h := x.histogram()
	for range t.weight() {
		h.Add(t.ns())
	}
}

// histogram has all of the times.
func (x *usual) histogram() *latency.Histogram {
	if x.all == nil {
		x.all = new(latency.Histogram)
		for _, t := range x.few {
			for range t.weight() {
				x.all.Add(t.ns())
			}
		}
		x.few = nil
	}
	return x.all
}

// exceeded reports whether a time is more than factor times the median, which it
// returns. The median is looked for only where it may be so.
func (x *usual) exceeded(ns int64, factor float64) (median int64, yes bool) {
	if x.count == 0 || x.samples >= 2*x.count || float64(ns) > factor*float64(x.median)/2 {
		x.median, x.count = x.histogram().Percentile(50), x.samples
	}
	return x.median, float64(ns) > factor*float64(x.median)
}

// addRPC enters the time that an RPC took, in nanoseconds, and reports whether it is
// more than factor times the median of those before; not if they are too few to
// judge by, or if it did not take long. One that did is always entered.
func (m *medians) addRPC(r *dissect.RPC, ns int64, long bool, factor float64) (median int64, slow bool) {
	h := r.CallHeader()
	s := subject{procedure: procedureOf(h), reverse: r.Reverse()}
	weight := int64(1)
	const compound = 1 // and CB_COMPOUND
	if h.Procedure == compound && (s.reverse || h.Program == rpc.ProgramNFS && h.Version == 4) {
		m.compounds++
		if m.compounds > manyCompounds && !long {
			if m.compounds%sampled != 0 {
				return 0, false
			}
			weight = sampled
		}
		b := r.Call.Body()
		if b == nil {
			return 0, false
		}
		ok := false
		if s.operation, ok = b.Main(); !ok {
			return 0, false
		}
	}
	x := m.usualOf(&s)
	if x == nil {
		if len(m.list) == mostSubjects {
			return 0, false
		}
		x = &usual{subject: s}
		x.few = x.first[:0]
		if m.list == nil {
			m.list = m.first[:0]
		}
		m.list = append(m.list, x)
	}
	if long && x.samples >= fewSamples {
		median, slow = x.exceeded(ns, factor)
	}
	x.addLatency(timedOf(ns, weight))
	return median, slow
}
