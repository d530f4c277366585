package metrics

import (
	"io"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// A slice is a Source of frames that come in groups.
type slice struct {
	times [][]int64
	ready bool
}

func (s *slice) Ready() bool   { return s.ready }
func (s *slice) Keep(int) bool { return true }
func (s *slice) Next(f *capture.Frame) error {
	if len(s.times) == 0 {
		return io.EOF
	}
	group := s.times[0]
	f.Time = group[0]
	if s.times[0] = group[1:]; len(group) == 1 {
		s.times = s.times[1:]
	}
	s.ready = len(group) > 1
	return nil
}

// TestLag goes through frames that are read and analysed at times, and what the lag is
// then.
func TestLag(t *testing.T) {
	now := int64(1e18)
	m := New(Options{Interfaces: []string{"mirror0"}, Now: func() time.Time { return time.Unix(0, now) }})
	const ms = int64(time.Millisecond)
	at := func(list ...int64) []int64 {
		for i := range list {
			list[i] = 1e18 + list[i]*ms
		}
		return list
	}
	source := m.Watch(&slice{times: [][]int64{at(10, 11, 12), at(500), at(1000, 1001), at(1100), at(1200)}})
	var frame capture.Frame
	read := func(n int) {
		for range n {
			if err := source.Next(&frame); err != nil {
				t.Fatal(err)
			}
		}
	}
	analysed := func(list ...int64) {
		for _, f := range at(list...) {
			m.lag.analysed(f, m.opts.Now)
		}
	}
	for i, step := range []struct {
		now  int64
		do   func()
		want int64 // milliseconds
	}{
		{10, func() {}, 0}, // nothing came
		{20, func() { read(3) }, 10},
		{30, func() {}, 20}, // they wait
		{40, func() { analysed(10, 11, 12) }, 28},
		{400, func() {}, 28}, // none waits: it is that of the last
		{505, func() { read(1) }, 28},
		{520, func() { analysed(500) }, 20},
		{1010, func() { read(2) }, 20},
		{1110, func() { read(1) }, 110},
		{1210, func() { read(1); analysed(1000) }, 210},
		{1300, func() { analysed(1001) }, 299},
		{5300, func() {}, 4299}, // analysis stands still
		{5310, func() { analysed(1100, 1200) }, 4110},
	} {
		now = 1e18 + step.now*ms
		step.do()
		if got := m.copied().behind; got != time.Duration(step.want*ms) {
			t.Errorf("step %d, at %d ms: behind by %v, want %d ms", i, step.now, got, step.want)
		}
	}
	if source.Next(&frame) != io.EOF {
		t.Error("the source has more")
	}
	// A clock that was set back.
	now = 1e18 - 1e12
	m.lag.analysed(1e18+1300*ms, m.opts.Now)
	if got := m.copied().behind; got != 0 {
		t.Errorf("behind by %v", got)
	}
}
