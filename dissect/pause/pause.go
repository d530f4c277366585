// Package pause knows when the ports of a link paused each other, by the MAC control frames of a
// capture: PFC, which pauses priorities, and PAUSE, which pauses the whole link.
//
// How long a frame pauses a port depends on the speed of the link, which no capture has. So a
// pause is counted from the first frame that asks for it to the one that ends it, or to the last
// that asks for it.
package pause

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
)

const (
	// WholeLink stands after the priorities for all of them at once: PAUSE.
	WholeLink = link.Priorities
	// Kinds is how many kinds of pauses there are.
	Kinds = WholeLink + 1
)

const (
	// quantum is how many tenths of a nanosecond a quantum of 512 bit times takes at 10 Gb/s, below
	// which adapters for RDMA are not made any more: a frame that comes later does not prolong the pause.
	quantum = 512
	// mostPorts is how many ports are remembered. A link has two.
	mostPorts = 16
	// mostSpans is how many pauses of a kind are remembered, of each port.
	mostSpans = 256
)

// A Set has a bit for each kind of pause.
type Set uint16

// Of is the set of one kind.
func Of(kind int) Set { return 1 << kind }

// Has reports whether a kind is in the set.
func (s Set) Has(kind int) bool { return s&Of(kind) != 0 }

// String is what was paused, for a person: "priority 3", "priorities 3 and 4", "the whole link".
func (s Set) String() string {
	if s.Has(WholeLink) {
		return "the whole link"
	}
	var list []string
	for kind := range WholeLink {
		if s.Has(kind) {
			list = append(list, strconv.Itoa(kind))
		}
	}
	switch n := len(list); n {
	case 0:
		return "no priority"
	case 1:
		return "priority " + list[0]
	default:
		return "priorities " + strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}

// All are all kinds.
const All Set = 1<<Kinds - 1

// A Log is what is remembered of a capture. It is bounded, and allocates nothing for a frame once
// it has room for all of it.
type Log struct{ ports []port }

type port struct {
	source [6]byte
	queues [Kinds]queue
}

// queue is what was paused of one kind.
type queue struct {
	on       bool
	from, to flow.Moment // while on: the first and the last frame that asked for it
	reach    int64       // until when the last may have lasted
	spans    ring.Ring[span]
	total    Total
}

// span is a pause that is over, in nanoseconds since 1970.
type span struct{ from, to int64 }

// Total is what a port asked for of one kind.
type Total struct {
	// Sum and Longest are how many nanoseconds it was paused in all, and without a break.
	Sum, Longest int64
	// From and To are the first and the last frame of the longest pause.
	From, To flow.Moment
	// Pauses and Frames are how many there were; First and Last are the first and the last frame.
	Pauses, Frames int64
	First, Last    flow.Moment
}

// Take takes a frame.
func (l *Log) Take(x *link.Pause, at flow.Moment) {
	p := l.port(x.Source)
	if p == nil {
		return
	}
	if x.Whole {
		p.queues[WholeLink].takePause(x.Quanta[0], at)
		return
	}
	for i := range x.Quanta {
		if x.Named&(1<<i) != 0 {
			p.queues[i].takePause(x.Quanta[i], at)
		}
	}
}

// port is what is known of a port, nil if there are too many.
func (l *Log) port(source [6]byte) *port {
	for i := range l.ports {
		if l.ports[i].source == source {
			return &l.ports[i]
		}
	}
	if len(l.ports) == mostPorts {
		return nil
	}
	l.ports = append(l.ports, port{source: source})
	return &l.ports[len(l.ports)-1]
}

func (q *queue) takePause(quanta uint16, at flow.Moment) {
	if q.total.Frames++; q.total.Frames == 1 {
		q.total.First = at
	}
	q.total.Last = at
	if q.on && at.Time <= q.reach {
		if at.Time > q.to.Time {
			q.to = at
		}
	} else if q.on {
		q.endPause()
	}
	switch {
	case quanta == 0 && q.on:
		q.endPause()
	case quanta > 0:
		if !q.on {
			q.on, q.from, q.to = true, at, at
			q.total.Pauses++
		}
		q.reach = at.Time + int64(quanta)*quantum/10
	}
}

// endPause ends a pause.
func (q *queue) endPause() {
	q.total.addPause(q.from, q.to)
	if q.to.Time > q.from.Time {
		*q.spans.Add(mostSpans) = span{q.from.Time, q.to.Time}
	}
	q.on = false
}

func (t *Total) addPause(from, to flow.Moment) {
	n := to.Time - from.Time
	t.Sum += n
	if n > t.Longest || t.From == (flow.Moment{}) {
		t.Longest, t.From, t.To = n, from, to
	}
}

// Each calls do for each port and kind of which there was a frame, up to now.
func (l *Log) Each(do func(source [6]byte, kind int, t Total)) {
	for i := range l.ports {
		p := &l.ports[i]
		for kind := range p.queues {
			q := &p.queues[kind]
			t := q.total
			if q.on {
				t.addPause(q.from, q.to)
			}
			if t.Frames > 0 {
				do(p.source, kind, t)
			}
		}
	}
}

// Within is for how many nanoseconds between two times, in nanoseconds since 1970, one of the kinds
// was paused, by the port that paused it for longest, and which were paused at all.
func (l *Log) Within(from, to int64, kinds Set) (ns int64, paused Set) {
	for i := range l.ports {
		for kind := range l.ports[i].queues {
			if !kinds.Has(kind) {
				continue
			}
			q := &l.ports[i].queues[kind]
			var n int64
			if q.on {
				n = common(span{q.from.Time, q.to.Time}, from, to)
			}
			for s := range q.spans.Backward() {
				if s.to <= from {
					break
				}
				n += common(*s, from, to)
			}
			if n > 0 {
				ns, paused = max(ns, n), paused|Of(kind)
			}
		}
	}
	return ns, paused
}

// common is how much of a span lies between two times.
func common(s span, from, to int64) int64 { return max(0, min(s.to, to)-max(s.from, from)) }
