package pause

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// asks is a frame of PFC about one priority.
func asks(priority int, quanta uint16) *link.Pause {
	x := &link.Pause{Source: [6]byte{2}, Named: 1 << priority}
	x.Quanta[priority] = quanta
	return x
}

func at(us int64) flow.Moment { return flow.Moment{Ref: flow.Ref{Number: 1}, Time: us * 1000} }

// total is what a Log has of a kind.
func total(l *Log, kind int) (found Total) {
	l.Each(func(_ [6]byte, k int, t Total) {
		if k == kind {
			found = t
		}
	})
	return found
}

func TestTotals(t *testing.T) {
	var l Log
	for _, us := range []int64{0, 3000, 6000} {
		l.Take(asks(3, 65535), at(us))
	}
	l.Take(asks(3, 0), at(6500))
	l.Take(asks(3, 0), at(6600))      // ends nothing
	l.Take(asks(3, 1), at(7000))      // 51 ns
	l.Take(asks(3, 65535), at(9000))  // another, which runs out
	l.Take(asks(3, 0), at(20000))     // too late to have ended it
	l.Take(asks(4, 65535), at(21000)) // open at the end
	l.Take(asks(4, 65535), at(22000))
	if got := total(&l, 3); got.Sum != 6500_000 || got.Longest != 6500_000 || got.Pauses != 3 || got.Frames != 8 || got.From != at(0) || got.To != at(6500) {
		t.Errorf("priority 3: %+v", got)
	}
	if got := total(&l, 4); got.Sum != 1000_000 || got.Pauses != 1 {
		t.Errorf("priority 4: %+v", got)
	}
	for _, c := range []struct {
		from, to int64
		kinds    Set
		ns       int64
		paused   Set
	}{
		{1000, 5000, All, 4000_000, Of(3)},
		{6000, 8000, All, 500_000, Of(3)},
		{6000, 8000, Of(4), 0, 0},
		{0, 30000, All, 6500_000, Of(3) | Of(4)},
		{20500, 21500, Of(4) | Of(WholeLink), 500_000, Of(4)},
	} {
		if ns, paused := l.Within(c.from*1000, c.to*1000, c.kinds); ns != c.ns || paused != c.paused {
			t.Errorf("from %d to %d µs, %s: %d ns of %s, want %d of %s", c.from, c.to, c.kinds, ns, paused, c.ns, c.paused)
		}
	}
}

// TestBounds holds that neither many pauses nor many ports take memory without end.
func TestBounds(t *testing.T) {
	var l Log
	for i := range 10_000 {
		l.Take(asks(3, 65535), at(int64(i)*10))
		l.Take(asks(3, 0), at(int64(i)*10+5))
	}
	if got := total(&l, 3); got.Sum != 50_000_000 || got.Pauses != 10_000 {
		t.Errorf("%+v", got)
	}
	now := int64(200_000)
	if n := testing.AllocsPerRun(1000, func() {
		l.Take(asks(3, 65535), at(now))
		l.Take(asks(3, 0), at(now+5))
		now += 10
	}); n > 0 {
		t.Errorf("%v allocations for a pause", n)
	}
	for i := range 1000 {
		x := asks(3, 65535)
		x.Source[4], x.Source[5] = byte(i>>8), byte(i)
		l.Take(x, at(now))
	}
	if len(l.ports) != mostPorts {
		t.Errorf("%d ports, want %d", len(l.ports), mostPorts)
	}
}

func TestSetString(t *testing.T) {
	for s, want := range map[Set]string{
		Of(3): "priority 3", Of(3) | Of(4): "priorities 3 and 4", Of(0) | Of(1) | Of(2): "priorities 0, 1 and 2",
		Of(3) | Of(WholeLink): "the whole link", 0: "no priority",
	} {
		if got := s.String(); got != want {
			t.Errorf("%d: %q, want %q", s, got, want)
		}
	}
}
