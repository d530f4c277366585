package shed

import (
	"testing"
	"time"
)

// A machine is one on which a policy is tried: it follows so many frames a second at most,
// and others wait in a ring.
type machine struct {
	*Policy
	now      time.Time
	lately   Frames
	capacity float64 // frames a second
	room     float64 // frames
	waiting  float64
	memory   float64
	measure  uint64
	said     []string
	highest  int
	changes  int // of the level
	dropped  float64
	idles    int
}

func newMachine(capacity, room float64) *machine {
	m := &machine{now: time.Unix(1e9, 0), capacity: capacity, room: room}
	m.Policy = NewPolicy(func(time.Time) Load { return Load{m.waiting / m.room, m.memory, m.measure} },
		func(what string) { m.said = append(m.said, what) })
	return m
}

// run lets time go by, with frames a second of each bucket, in milliseconds.
func (m *machine) run(d time.Duration, rate func(bucket int) float64) {
	var owed Rate
	for range d / time.Millisecond {
		m.now = m.now.Add(time.Millisecond)
		before := m.level
		o := m.Decide(m.now, &m.lately)
		if o.Below != before {
			m.changes++
		}
		if o.Idle {
			m.idles++
		}
		m.highest = max(m.highest, o.Below)
		for b := range m.lately {
			owed[b] += rate(b) / 1000
			n := float64(int(owed[b]))
			owed[b] -= n
			m.lately[b] += uint32(n)
			if b >= o.Below {
				m.waiting += n
			}
		}
		m.waiting = max(0, m.waiting-m.capacity/1000)
		if m.waiting > m.room {
			m.dropped += m.waiting - m.room
			m.waiting = m.room
		}
	}
}

// Rate are fractions of frames.
type Rate [Buckets]float64

func even(all float64) func(int) float64 { return func(int) float64 { return all / Buckets } }

func TestNothingIsShedInGoodTimes(t *testing.T) {
	m := newMachine(100_000, 50_000)
	m.run(10*time.Second, even(90_000))
	if m.highest != 0 || len(m.said) > 0 {
		t.Errorf("shed up to %d, and said %q", m.highest, m.said)
	}
	// A writer that had to wait holds up everything; what came meanwhile is soon done.
	m.waiting = 0.9 * m.room
	m.run(10*time.Second, even(50_000))
	if m.highest != 0 {
		t.Errorf("shed up to %d after a pause", m.highest)
	}
}

func TestTooMuchIsShedAndTakenInAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		rate func(bucket int) float64
		most int // changes of the level in 30 seconds
	}{
		{"half too much", even(150_000), 30},
		{"five times too much", even(500_000), 30},
		{"from two pairs", func(b int) float64 {
			if b == 17 || b == 230 {
				return 80_000
			}
			return 0
		}, 16},
		{"from one pair", func(b int) float64 {
			if b == 200 {
				return 130_000
			}
			return 0
		}, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(100_000, 50_000)
			m.run(30*time.Second, c.rate)
			t.Logf("%d changes of the level, up to %d; %.0f frames dropped", m.changes, m.highest, m.dropped)
			if m.highest == 0 || m.changes > c.most {
				t.Errorf("%d changes, up to %d", m.changes, m.highest)
			}
			if m.dropped > 0 {
				t.Errorf("%.0f frames were dropped", m.dropped)
			}
			if len(m.said)%2 == 0 && m.level > 0 {
				t.Errorf("level %d, but said %q", m.level, m.said)
			}
			m.run(m.patience+2*time.Second, even(5_000))
			if m.level != 0 || m.said[len(m.said)-1] != "all connections are followed again" {
				t.Errorf("level %d when there is room again, said %q", m.level, m.said)
			}
		})
	}
}

// Memory: first what is idle goes, then what is needed, and each measure counts once.
func TestShortOfMemory(t *testing.T) {
	m := newMachine(100_000, 50_000)
	m.run(time.Second, even(10_000))
	m.memory, m.measure = 1.1, 1
	m.run(time.Second, even(10_000))
	if m.idles != 1 || m.level != 0 {
		t.Fatalf("let go of idle ones %d times, level %d", m.idles, m.level)
	}
	m.memory, m.measure = 1.5, 2
	m.run(time.Second, even(10_000))
	if m.changes != 1 || m.level < Buckets/2-10 || m.level > Buckets/2+10 {
		t.Fatalf("%d changes, level %d: half is too much", m.changes, m.level)
	}
	m.memory, m.measure = 0.9, 3 // neither too much nor room for more
	level := m.level
	m.run(time.Minute, even(10_000))
	if m.level != level {
		t.Fatalf("level %d, and %d before", m.level, level)
	}
	m.memory, m.measure = 0.5, 4
	m.run(time.Minute, even(10_000))
	if m.level != 0 {
		t.Errorf("level %d when there is room again", m.level)
	}
}
