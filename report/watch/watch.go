package watch

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
)

const (
	mostRows = 256 // connections that are listed
	// mostOperations bounds the operations that are kept of connections that are over, all
	// together. Of those that are open the Gatherer does.
	mostOperations = 2048
)

// Options are what a Watch can be told.
type Options struct {
	// Filter says which RPCs are listed, nil for all; a connection is listed when one of its
	// RPCs was. Figures count all the same.
	Filter listing.Filter
}

// A Watch keeps what a screen shows. It is told by a check.View; its methods may be called
// while another goroutine takes Snapshots.
type Watch struct {
	opts Options

	mu    sync.Mutex
	clock clock
	stats *stats.Gatherer
	rows  []*row // in the order in which they came
	open  map[*dissect.Connection]*row
	// last is the row of lastConn, tried before the map; it may be nil.
	last     *row
	lastConn *dissect.Connection
	ended    int // rows of connections that are over
	kept     int // operations of those
	// unlisted are connections that are open and have no row.
	unlisted int

	window        window
	gone          Losses // of connections that have no row, and are over
	frames, bytes int64
	seen, over    int // connections that came, and that have ended
	rpcs          int64
	tally         finding.Tally
	findings      ring.Ring[Finding]
	drops         finding.Drops
	sum           latency.Histogram // for one at a time

	// The rest is of the goroutine that reports it, without the lock.
	noter *noter // of one event at a time
	due   []due
}

// New returns a Watch.
func New(o Options) *Watch {
	w := &Watch{opts: o, open: make(map[*dissect.Connection]*row), noter: newNoter(new(notes), o.Filter)}
	w.stats = stats.New(func(c *dissect.Connection, s *stats.Connection) {
		if r := w.row(c); r != nil {
			r.over = s
		}
	})
	w.stats.Apart = true
	return w
}

// row is that of a connection, nil if it is not listed.
func (w *Watch) row(c *dissect.Connection) *row {
	if c != w.lastConn {
		w.last, w.lastConn = w.open[c], c
	}
	return w.last
}

// Connection implements dissect.Sink.
func (w *Watch) Connection(c *dissect.Connection, final bool) {
	w.noter.Connection(c, final)
	w.taken()
}

// Frame implements dissect.Sink.
func (w *Watch) Frame(v *dissect.FrameView) {
	w.noter.Frame(v)
	w.taken()
}

// Message implements dissect.Sink.
func (w *Watch) Message(m *dissect.Message) {
	w.noter.Message(m)
	w.taken()
}

// RPC implements dissect.Sink.
func (w *Watch) RPC(r *dissect.RPC) {
	w.noter.RPC(r)
	w.taken()
}

// View is what has it told of all.
func (w *Watch) View() check.View {
	v := check.View{All: w, NewFinding: w.NewFinding, Dropped: w.Dropped}
	if w.opts.Filter == nil || w.opts.Filter.Another() != nil {
		v.Notes = w.part
	}
	return v
}

// NewFinding takes a finding that was just reported.
func (w *Watch) NewFinding(f *finding.Finding) {
	if f.Ongoing {
		return
	}
	x := &reported{conn: f.Connection}
	x.setFinding(f)
	if w.due = append(w.due, due{finding: x}); len(w.due) == 1 {
		w.flush() // nothing of a batch is before it
	}
}

// Dropped takes how many frames were dropped so far.
func (w *Watch) Dropped(d finding.Drops, _ int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drops = d
}

// Over says that no more comes: time stands still, and connections that are over stay.
func (w *Watch) Over() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock.stopped = true
}
