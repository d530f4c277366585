package pipeline

import (
	"io"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
)

// timed is a source of frames with these times; before the last it waits.
type timed struct {
	times   []int64
	waiting chan struct{} // it begins to wait
	comes   chan struct{} // the last may come
}

func (s *timed) Ready() bool { return len(s.times) > 1 }

func (s *timed) Next(f *capture.Frame) error {
	if len(s.times) == 0 {
		return io.EOF
	}
	if len(s.times) == 1 {
		close(s.waiting)
		<-s.comes
	}
	f.Time, s.times = s.times[0], s.times[1:]
	return nil
}

// TestQuiet holds that it is as late as the newest frame, and what passed on the wall since the next one is waited for.
func TestQuiet(t *testing.T) {
	wall := time.Unix(1000, 0)
	s := &timed{times: []int64{50e9, 70e9, 60e9, 90e9}, waiting: make(chan struct{}), comes: make(chan struct{})}
	q := newQuiet(s, func() time.Time { return wall })
	var f capture.Frame
	for range 3 {
		if err := q.Next(&f); err != nil {
			t.Fatal(err)
		}
		if _, ok := q.time(wall.UnixNano()); ok {
			t.Error("it is quiet while frames come")
		}
	}
	came := make(chan error)
	go func() { came <- q.Next(&f) }()
	<-s.waiting
	if _, ok := q.time(wall.UnixNano()); ok {
		t.Error("it is quiet at once")
	}
	clock, to, done, over := make(chan time.Time), make(chan dissect.Idle), make(chan struct{}), make(chan struct{})
	go func() { q.run(clock, to, done); close(over) }()
	clock <- wall // the first tick finds nobody waiting for long
	wall = wall.Add(1200 * time.Millisecond)
	clock <- wall
	if got := <-to; got != (dissect.Idle{Newest: 70e9, Now: 71.2e9}) {
		t.Errorf("it is %v", got)
	}
	wall = wall.Add(time.Hour) // the machine slept
	clock <- wall
	wall = wall.Add(700 * time.Millisecond)
	clock <- wall
	if got := <-to; got != (dissect.Idle{Newest: 70e9, Now: 70.7e9}) {
		t.Errorf("an hour later, in which the program stood still, it is %v", got)
	}
	wall = wall.Add(-time.Minute) // the clock was set
	clock <- wall
	wall = wall.Add(600 * time.Millisecond)
	clock <- wall
	if got := <-to; got != (dissect.Idle{Newest: 70e9, Now: 70.6e9}) {
		t.Errorf("after the clock was set back, it is %v", got)
	}
	close(done)
	<-over
	close(s.comes)
	if err := <-came; err != nil || f.Time != 90e9 {
		t.Errorf("%v, a frame of %d", err, f.Time)
	}
	if _, ok := q.time(wall.UnixNano()); ok {
		t.Error("it is quiet though a frame came")
	}
}
