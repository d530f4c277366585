package shed

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// mostInUse is which part of the limit may be in use: the rest is for garbage, since the
// collector needs some to do its work.
const mostInUse = 0.6

// measureAgain is after how long the collector is asked for a newer measure while memory
// is not known to have room.
const measureAgain = time.Second

// A Memory measures how much of a limit on memory is in use: what the garbage collector
// found last.
type Memory struct {
	most      float64 // octets
	samples   []metrics.Sample
	cycle     uint64
	asked     time.Time
	measuring atomic.Bool
}

// NewMemory returns a Memory for a limit in octets, that of debug.SetMemoryLimit.
func NewMemory(limit int64) *Memory {
	return &Memory{most: mostInUse * float64(limit), samples: []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"},
	}}
}

// Measure is Load's Memory and Measure, at a time.
func (m *Memory) Measure(now time.Time) (used float64, measure uint64) {
	metrics.Read(m.samples)
	used, measure = float64(m.samples[0].Value.Uint64())/m.most, m.samples[1].Value.Uint64()
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
