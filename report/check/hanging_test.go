package check_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// hung hands on a capture up to a frame, and the rest when it is let go. Frames for which lacks says so are not handed on.
type hung struct {
	capture.Source
	lacks        func(number int, f *capture.Frame) bool
	frames, upTo int
	reached      chan int64 // the time of that frame
	letGo        chan struct{}
	last         int64
}

func (h *hung) Next(f *capture.Frame) error {
	if h.frames == h.upTo {
		h.reached <- h.last
		<-h.letGo
	}
	h.frames++
	err := h.Source.Next(f)
	if err == nil && h.lacks != nil && h.lacks(h.frames, f) {
		return h.Next(f)
	}
	h.last = f.Time
	return err
}

// shown is what was written so far.
type shown struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *shown) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *shown) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// liveLines are what live says of a sample, a line each. Idle is called once all frames up to the one behind which nothing comes are on
// their way; the rest comes when it returns.
func liveLines(t *testing.T, sample string, upTo, workers int, idle func(times chan<- dissect.Idle, reached int64, written <-chan string)) string {
	t.Helper()
	return fed{sample: sample, upTo: upTo, shows: lines()}.live(t, workers, idle)
}

// lines are options of the text for a line each.
func lines() listing.Options {
	return listing.Options{Brief: true, Quiet: true, Names: []string{"x"}, Files: 1}
}

// fed is what live is given: the frames of a sample, up to one behind which nothing comes for a while.
type fed struct {
	sample string
	upTo   int
	lacks  func(number int, f *capture.Frame) bool // the frames that are not handed on, if any
	shows  listing.Options
	more   []*rules.Rule // that are asked after those of the program
}

// live is what live says of it.
func (x fed) live(t *testing.T, workers int, idle func(times chan<- dissect.Idle, reached int64, written <-chan string)) string {
	t.Helper()
	file, err := capture.Open("../../samples/"+x.sample+".pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bindings, err := dissect.NewBindings()
	if err != nil {
		t.Fatal(err)
	}
	if err := bindings.Ask(rules.Fields(catalogue.All())...); err != nil {
		t.Fatal(err)
	}
	out := new(shown)
	form := findings.NewLive(out, x.shows)
	c := check.New(form, check.Options{Rules: append(catalogue.All(), x.more...), Config: rules.DefaultConfig(), Files: 1})
	times, written := make(chan dissect.Idle), make(chan string, 1000)
	source := &hung{Source: file, lacks: x.lacks, upTo: x.upTo, reached: make(chan int64, 1), letGo: make(chan struct{})}
	o := dissect.Options{Units: true, Bindings: bindings, Idle: times}
	next := func(bool) error {
		err := c.Flush()
		written <- out.String()
		return errors.Join(err, c.Err())
	}
	go func() {
		idle(times, <-source.reached, written)
		close(source.letGo)
		for range written { // nobody is to wait for room
		}
	}()
	if workers == 0 {
		o.Accesses = c
		d := dissect.New(c, o)
		_, err = d.Run(source, next)
		finish(t, c, err, d.Flush, d.Summary)
	} else {
		d := dissect.NewShards(workers, o, c.Part)
		c.PauseBy(d.Pause)
		_, err = d.Run(source, next)
		finish(t, c, err, d.Flush, d.Summary)
	}
	close(written)
	return out.String()
}

// TestHangingIsSaid holds that a call that hangs is reported within a second of the limit, although no frame comes, that
// it is told when it goes on, and that all that is found is what is found without.
func TestHangingIsSaid(t *testing.T) {
	const (
		sample = "faults/stall4s"
		call   = 783 // the last frame before the server is silent
		hangs  = "x:783: warning: SYM-001: there has been no progress for 1.20 s, and NFS3 CREATE 0x9b745768 is open; the server has acknowledged it, but the capture has no answer yet\n"
		goesOn = "the connection continues, where there had been no progress after frame 783\n"
	)
	for _, workers := range []int{0, 1, 3} {
		plain := liveLines(t, sample, call, workers, func(chan<- dissect.Idle, int64, <-chan string) {})
		got := liveLines(t, sample, call, workers, func(times chan<- dissect.Idle, reached int64, written <-chan string) {
			times <- dissect.Idle{Newest: reached, Now: reached + int64(900*time.Millisecond)}
			for { // while frames are underway, time is theirs
				select {
				case times <- dissect.Idle{Newest: reached, Now: reached + int64(1200*time.Millisecond)}:
				case text := <-written:
					if strings.Contains(text, "has been no progress") {
						return
					}
				}
			}
		})
		if n := strings.Count(got, hangs); n != 1 || strings.Count(got, "has been no progress") != 1 || strings.Count(got, goesOn) != 1 {
			t.Errorf("%d workers: it is said %d times:\n%s", workers, n, got)
		}
		var rest strings.Builder
		for line := range strings.Lines(got) {
			if line != hangs && !strings.HasSuffix(line, goesOn) {
				io.WriteString(&rest, line)
			}
		}
		if rest.String() != plain {
			t.Errorf("%d workers: with a pause\n%s\nwithout\n%s", workers, rest.String(), plain)
		}
	}
}

// TestNothingHangs holds that nothing is reported to hang where the capture may lack what ends it, and where no call is open.
func TestNothingHangs(t *testing.T) {
	const sample, call = "faults/stall4s", 783 // the last frame before the server is silent, which acknowledges the call in 782
	var client []byte
	from := func(f *capture.Frame) []byte { return f.Data[26:30] } // of the IPv4 header, after 14 bytes of Ethernet
	for name, lacks := range map[string]func(number int, f *capture.Frame) bool{
		"one direction": func(n int, f *capture.Frame) bool {
			if n == 1 {
				client = bytes.Clone(from(f))
			}
			return !bytes.Equal(from(f), client)
		},
		"the call is gone":    func(n int, _ *capture.Frame) bool { return n == 782 },
		"nothing is open":     func(n int, _ *capture.Frame) bool { return n >= 782 },
		"two frames are gone": func(n int, _ *capture.Frame) bool { return n == 780 || n == 782 },
	} {
		for _, workers := range []int{0, 1, 3} {
			const later = int64(10 * time.Second)
			var reached atomic.Int64
			ticks := &rules.Rule{Rule: finding.Rule{ID: "T-001", Severity: finding.Error}, Check: rules.Check{On: []rules.Event{
				rules.OnFrame(0, func(c *rules.Conn, _ *dissect.FrameView, _ rules.Reporter) { c.Remind() }),
				rules.OnTick(func(c *rules.Conn, now int64, say rules.Reporter) {
					if c.Remind(); now >= reached.Load()+later {
						say.Ongoing(c.LastSeen(0).New, nil, now, "the clock ticked")
					}
				}),
			}}}
			fed{sample: sample, upTo: call, lacks: lacks, shows: lines(), more: []*rules.Rule{ticks}}.live(t, workers, func(times chan<- dissect.Idle, last int64, written <-chan string) {
				reached.Store(last)
				for range 10_000 { // far more than there are frames
					select {
					case times <- dissect.Idle{Newest: last, Now: last + later}:
					case text := <-written:
						if !strings.Contains(text, "the clock ticked") {
							continue
						}
						if strings.Contains(text, "has been no progress") {
							t.Errorf("%s, %d workers:\n%s", name, workers, text)
						}
						return
					}
				}
				t.Errorf("%s, %d workers: no tick came", name, workers)
			})
		}
	}
}

// TestLateFrames holds that frames that were kept back on their way, as by a pipe, show that the connection went on: what hangs is
// measured by their times again.
func TestLateFrames(t *testing.T) {
	const sample, last = "faults/stall4s", 246 // amid work: the next frame is of 0.2 ms later
	for _, workers := range []int{0, 1, 3} {
		got := liveLines(t, sample, last, workers, func(times chan<- dissect.Idle, reached int64, written <-chan string) {
			for {
				select {
				case times <- dissect.Idle{Newest: reached, Now: reached + int64(3*time.Second)}:
				case text := <-written:
					if strings.Contains(text, "has been no progress") {
						return
					}
				}
			}
		})
		if n := strings.Count(got, "has been no progress"); n != 1 || strings.Count(got, "the connection continues, where there had been no progress after frame 246\n") != 1 {
			t.Errorf("%d workers: %d times:\n%s", workers, n, got)
		}
	}
}
