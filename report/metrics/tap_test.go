package metrics

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// loaded are the frames of a sample.
func loaded(t *testing.T, name string) (list []capture.Frame) {
	t.Helper()
	f, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var frame capture.Frame
	for f.Next(&frame) == nil {
		list = append(list, frame)
		list[len(list)-1].Data = bytes.Clone(frame.Data)
	}
	return list
}

// A taps is a Source of frames that are handed to it.
type taps struct {
	frames <-chan []capture.Frame
	now    []capture.Frame
	number int64
}

func (s *taps) Next(f *capture.Frame) error {
	for len(s.now) == 0 {
		var more bool
		if s.now, more = <-s.frames; !more {
			return io.EOF
		}
	}
	s.number++
	*f, s.now = s.now[0], s.now[1:]
	f.Number = s.number
	return nil
}
func (s *taps) Ready() bool   { return len(s.now) > 0 }
func (s *taps) Keep(int) bool { return true }

// A tapped follows frames as they come, with a number of workers or, where that is 0, without shards.
type tapped struct {
	t      *testing.T
	m      *Metrics
	frames chan []capture.Frame
	times  chan dissect.Idle
	told   chan struct{} // a batch was
	ended  chan error
	sent   int
	last   int64 // the time of the newest frame
}

func tap(t *testing.T, workers int) *tapped {
	t.Helper()
	m, live := watching(io.Discard, Options{Now: func() time.Time { return time.Unix(4e9, 0) }}) // long after any capture
	x := &tapped{t: t, m: m, frames: make(chan []capture.Frame), times: make(chan dissect.Idle), told: make(chan struct{}, 1), ended: make(chan error, 1)}
	bindings := new(dissect.Bindings)
	if err := bindings.Ask(rules.Fields(catalogue.All())...); err != nil {
		t.Fatal(err)
	}
	go func() {
		x.ended <- x.run(live, dissect.Options{Bindings: bindings, Units: true, Idle: x.times}, workers)
	}()
	return x
}

// run follows frames until there are no more.
func (x *tapped) run(live *check.Check, o dissect.Options, workers int) error {
	var d interface {
		Run(capture.Source, func(bool) error) ([]error, error)
		Flush()
		Summary() dissect.Summary
	}
	if workers == 0 {
		o.Accesses = live
		d = dissect.New(live, o)
	} else {
		s := dissect.NewShards(workers, o, live.Part)
		live.PauseBy(s.Pause)
		d = s
	}
	_, err := d.Run(&taps{frames: x.frames}, func(bool) error {
		select {
		case x.told <- struct{}{}:
		default:
		}
		return nil
	})
	live.Over(nil)
	d.Flush()
	if err == nil {
		err = live.Finish(d.Summary(), 0)
	}
	return err
}

// come has frames come.
func (x *tapped) come(list ...capture.Frame) {
	for i := range list {
		x.last = max(x.last, list[i].Time)
	}
	x.sent += len(list)
	x.frames <- list
}

// open holds which calls are open by the client, and how old the oldest is, when none has come for a while after the
// frames so far.
func (x *tapped) open(what string, silence time.Duration, calls float64, age time.Duration) {
	x.t.Helper()
	x.holds(what, silence, "client", calls, age)
}

func (x *tapped) holds(what string, silence time.Duration, requester string, calls float64, age time.Duration) {
	x.t.Helper()
	var got map[string]float64
	until := func(now int64, is func() bool) bool {
		for range 200 { // some are left out while frames are underway
			x.times <- dissect.Idle{Newest: now, Now: now}
			<-x.told
			if got = series(x.t, x.m); is() {
				return true
			}
		}
		return false
	}
	if until(1, func() bool { return got["frames_total"] == float64(x.sent) }) && until(x.last+int64(silence), func() bool {
		return got["credits_used{"+requester+"}"] == calls && got["oldest_call_seconds{"+requester+"}"] == age.Seconds()
	}) {
		return
	}
	x.t.Errorf("%s, and nothing for %v: %v of %d frames, %v calls of the %s are open, the oldest for %v s; want %v, %v s", what, silence, got["frames_total"], x.sent,
		got["credits_used{"+requester+"}"], requester, got["oldest_call_seconds{"+requester+"}"], calls, age.Seconds())
}

// end ends the capture: nothing is open then.
func (x *tapped) end() {
	x.t.Helper()
	close(x.frames)
	if err := <-x.ended; err != nil {
		x.t.Fatal(err)
	}
	got := series(x.t, x.m)
	for _, name := range []string{"credits_used{client}", "credits_used{server}", "oldest_call_seconds{client}", "oldest_call_seconds{server}", "open_connections"} {
		if v, is := got[name]; !is || v != 0 {
			x.t.Errorf("at the end %s is %v (%v)", name, v, is)
		}
	}
	if len(x.m.oldest.list) > 0 {
		x.t.Errorf("%d connections are left", len(x.m.oldest.list))
	}
}
