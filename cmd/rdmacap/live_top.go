package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/top"
	"github.com/rdmacap/rdmacap/report/watch"
)

// topOptions are the flags of rdmacap live --top.
type topOptions struct{ top bool }

func (o *topOptions) register(f *pflag.FlagSet) {
	f.BoolVar(&o.top, "top", false, "full-screen view of connections (? lists the keys); without a terminal, one line per second")
}

// excludes says which flags make no sense with --top.
func (o *topOptions) excludes(c *cobra.Command) error {
	if !o.top {
		return nil
	}
	for _, name := range []string{"format", "brief", "level"} {
		if c.Flags().Changed(name) {
			return errors.New("--top and --" + name + " cannot be combined")
		}
	}
	return nil
}

// A liveTop runs the screen of rdmacap live --top, or writes a line a second.
type liveTop struct {
	to       streams // where everything goes in the end
	out, err *top.Held
	watch    *watch.Watch
	name     string
	color    bool
	// asked is told that the user quits: true if that is an interrupt.
	asked chan bool

	screen *top.Screen // nil for lines, and before it began
	ending chan struct{}
	once   sync.Once
	lines  sync.WaitGroup
	failed error // of writing lines
}

// newTop is what live does with --top, and the streams that it is to use meanwhile.
func newTop(s streams, shown *listing.Options, found *check.Options) (*liveTop, streams) {
	name := strings.Join(shown.Names, ", ")
	if name == "-" {
		name = "standard input"
	}
	t := &liveTop{
		to: s, out: top.NewHeld(s.out), err: top.NewHeld(s.err), watch: watch.New(watch.Options{Filter: shown.Filter}),
		name: name, color: shown.Color, asked: make(chan bool, 1), ending: make(chan struct{}),
	}
	found.Views = append(found.Views, t.watch.View())
	s.out, s.err = t.out, t.err
	return t, s
}

// snapshot takes one.
func (t *liveTop) snapshot(id int) *watch.Snapshot {
	s := new(watch.Snapshot)
	t.watch.Snapshot(s, t.to.now(), id)
	return s
}

// beginTop begins to show: the input is open.
func (t *liveTop) beginTop(ctx context.Context) {
	if !isTerminal(t.to.out) || os.Getenv("TERM") == "dumb" {
		_ = t.err.Release() // nowhere to say that it cannot be written
		t.lines.Go(t.writeLines)
		return
	}
	t.screen = top.NewScreen(t.to.out, top.NewModel(t.snapshot, top.Options{
		Name: t.name, Color: t.color,
		Interrupted: func() { t.endTop(true) }, Quit: func() { t.endTop(false) },
	}))
	t.err.OnMessage(t.screen.ShowMessage)
	unheed := t.to.heed(nil) // also when all was read
	go func() {
		select {
		case <-ctx.Done(): // whoever reads is told too
			t.screen.Close()
		case <-t.screen.Done():
		}
		<-t.screen.Done()
		unheed()
		t.endTop(false)
		_ = t.err.Release()
	}()
}

// endTop ends the reading.
func (t *liveTop) endTop(interrupted bool) {
	select {
	case t.asked <- interrupted:
	default: // it is ending
	}
}

// writeLines writes a line a second, until all was read or nobody reads them.
func (t *liveTop) writeLines() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var s watch.Snapshot
	var b []byte
	for over := false; !over; {
		select {
		case <-tick.C:
		case <-t.ending:
			over = true
		}
		t.watch.Snapshot(&s, t.to.now(), 0)
		b = top.AppendLine(b[:0], &s)
		if _, err := t.to.out.Write(b); err != nil {
			t.failed = err
			t.endTop(false)
			return
		}
	}
}

// finish waits until the user has seen enough, and writes what was held. It is called with what
// reading came to; without --top, and t, that is all.
func (t *liveTop) finish(err error) error {
	if t == nil {
		return err
	}
	t.watch.Over()
	t.once.Do(func() { close(t.ending) })
	t.lines.Wait()
	if t.failed != nil {
		return writeError(t.failed)
	}
	if t.screen != nil {
		<-t.screen.Done()
		if problem := t.screen.Err(); err == nil {
			err = problem
		}
	}
	_ = t.err.Release()
	if failed := t.out.Release(); failed != nil && err == nil {
		err = writeError(failed)
	}
	return err
}

// leave leaves the screen if it is still there: where something panics, that is to be read.
func (t *liveTop) leave() {
	if t.screen != nil {
		t.screen.Close()
		<-t.screen.Done()
	}
}
