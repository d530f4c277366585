package watch

import (
	"slices"
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/stats"
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

	window         window
	gone           Losses // of connections that have no row, and are over
	frames, octets int64
	seen, over     int // connections that came, and that have ended
	rpcs           int64
	tally          finding.Tally
	findings       ring.Ring[Finding]
	drops          finding.Drops

	words words.Words
	sum   latency.Histogram // for one at a time
}

// New returns a Watch.
func New(o Options) *Watch {
	w := &Watch{opts: o, open: make(map[*dissect.Connection]*row)}
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
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !final:
		w.seen++
		w.list(c)
	case w.row(c) != nil:
		w.end(c)
	default:
		w.unlisted--
		if c.Closing != flow.Open {
			w.over++
		}
		var l Losses
		l.take(&c.Counters)
		w.gone.add(l)
	}
}

// list makes a row, if there is room or something that is over can go.
func (w *Watch) list(c *dissect.Connection) {
	if len(w.rows) >= mostRows && !w.evict() {
		w.unlisted++
		return
	}
	r := &row{conn: c, Row: Row{ID: c.ID, Transport: c.Transport.String()}}
	r.refresh(c)
	r.seen = c.FirstTime
	w.rows = append(w.rows, r)
	w.open[c] = r
	w.last, w.lastConn = r, c
}

// end turns the row of a connection into one that is over.
func (w *Watch) end(c *dissect.Connection) {
	r := w.row(c)
	r.refresh(c)
	w.stats.Connection(c, true)
	w.closing(r, c)
	r.conn = nil
	w.ended++
	if r.over != nil {
		w.kept += r.over.Table.Len()
	}
	delete(w.open, c)
	w.last, w.lastConn = nil, nil
	for w.kept > mostOperations && w.evict() {
	}
}

// closing notes how a connection ends, which its last frames show before it is over.
func (w *Watch) closing(r *row, c *dissect.Connection) {
	if c.Closing == flow.Open {
		return
	}
	if r.Ended == "" {
		w.over++
	}
	r.Ended = ending(c.Closing)
}

// evict drops the row that came first of those that are over, and reports whether there was
// one.
func (w *Watch) evict() bool {
	if w.ended == 0 {
		return false
	}
	i := slices.IndexFunc(w.rows, func(r *row) bool { return r.conn == nil })
	w.drop(i)
	return true
}

// drop drops a row of a connection that is over.
func (w *Watch) drop(i int) {
	r := w.rows[i]
	w.gone.add(r.Losses)
	if r.over != nil {
		w.kept -= r.over.Table.Len()
	}
	w.ended--
	w.rows = slices.Delete(w.rows, i, i+1)
}

// Frame implements dissect.Sink.
func (w *Watch) Frame(v *dissect.FrameView) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock.frame(v.Frame.Time)
	octets := int64(v.Frame.Length)
	w.frames++
	w.octets += octets
	c := v.Connection
	if c == nil {
		return
	}
	toServer := c.ToServer(v.Verdict.From)
	w.window.at(w.clock.newest).carried(octets, toServer)
	if r := w.row(c); r != nil {
		s := r.window.at(w.clock.newest)
		s.carried(octets, toServer)
		r.count(c)
		w.closing(r, c)
		s.mostOpen = max(s.mostOpen, r.Open)
		r.seen = w.clock.newest
	}
}

// carried counts a frame.
func (s *slot) carried(octets int64, toServer bool) {
	if toServer {
		s.toServer += octets
	} else {
		s.toClient += octets
	}
}

// Message implements dissect.Sink.
func (w *Watch) Message(m *dissect.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock.frame(m.Last)
	c := m.Connection
	r := w.row(c)
	if r == nil && w.unlisted > 0 && (len(w.rows) < mostRows || w.ended > 0) {
		w.unlisted-- // now there is room
		w.list(c)
		r = w.row(c)
	}
	if x := m.RPC(); x != nil && x.Call == m {
		w.window.at(w.clock.newest).calls++
		if r != nil {
			s := r.window.at(w.clock.newest)
			s.calls++
			s.mostOpen = max(s.mostOpen, c.Outstanding(c.ClientEnd)+1)
		}
	}
	if r == nil {
		return
	}
	r.refresh(c)
	w.stats.Message(m)
	_, t := w.stats.Open(c)
	if g := &t.Calls[c.ClientEnd].Granted; g.Count > 0 {
		r.Granted, r.HasGranted = g.Last, true
	}
}

// RPC implements dissect.Sink.
func (w *Watch) RPC(x *dissect.RPC) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rpcs++
	ns, known := x.Latency()
	if known {
		w.window.at(w.clock.newest).latency.Add(ns)
	}
	r := w.row(x.Connection)
	if r == nil {
		return
	}
	if known {
		r.window.at(w.clock.newest).latency.Add(ns)
	}
	w.stats.RPC(x)
	counted, _ := w.stats.Open(x.Connection)
	r.RPCs = counted.RPCs
	if w.opts.Filter == nil || w.opts.Filter.RPC(x) {
		r.matched = true
		r.rpcs.Add(mostRPCs).take(x, &w.words)
	}
}

// View is what has it told of all.
func (w *Watch) View() check.View {
	return check.View{All: w, Fresh: w.Fresh, Dropped: w.Dropped}
}

// Fresh takes a finding that was just said.
func (w *Watch) Fresh(f *finding.Finding) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.Add(f.Severity)
	x := w.findings.Add(mostFindings)
	x.take(f)
	if f.Connection == nil {
		return
	}
	if r := w.row(f.Connection); r != nil {
		r.Findings.Add(f.Severity)
		*r.findings.Add(mostFindings) = *x
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
