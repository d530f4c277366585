package shed

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	// forGo is which part of the memory Go is told that it may take: it takes a little more
	// at times, and what is free lies between what is not.
	forGo = 0.8
	// mostInUse is which part of that may be in use: the rest is for garbage, since the
	// collector needs some to do its work.
	mostInUse = 0.6
)

// measureAgain is after how long the collector is asked for a newer measure while memory
// is not known to have room.
const measureAgain = time.Second

// A Memory measures how much of the memory that the process may take is in use: what the
// garbage collector found last.
type Memory struct {
	most, all float64 // bytes: in use, and taken
	samples   []metrics.Sample
	cycle     uint64
	asked     time.Time
	measuring atomic.Bool
}

// LimitMemory has the process take about so many bytes for what Go manages, and
// returns their measure, and what undoes it.
func LimitMemory(size int64) (m *Memory, undo func()) {
	limit := int64(forGo * float64(size))
	before := debug.SetMemoryLimit(limit)
	return &Memory{
			most: mostInUse * float64(limit), all: float64(size),
			samples: []metrics.Sample{
				{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"},
				{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
			},
		}, func() {
			debug.SetMemoryLimit(before)
		}
}

// Measure is Load's Memory and Measure, at a time.
func (m *Memory) Measure(now time.Time) (used float64, measure uint64) {
	metrics.Read(m.samples)
	value := func(i int) uint64 { return m.samples[i].Value.Uint64() }
	used, measure = float64(value(0))/m.most, value(1)
	if taken := float64(value(2)-value(3)) / m.all; taken > 1 {
		used = max(used, taken)
	}
	if measure != m.cycle {
		m.cycle, m.asked = measure, now
	} else if used > someRoom && now.Sub(m.asked) >= measureAgain && m.measuring.CompareAndSwap(false, true) {
		// Where connections were let go the collector sees no reason to look soon.
		m.asked = now
		go func() {
			runtime.GC()
			m.measuring.Store(false)
		}()
	}
	return used, measure
}
