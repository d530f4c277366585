package html

import (
	"sync/atomic"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/stats"
)

// Options are what the HTML report can be told.
type Options struct {
	check.Options
	// Names are the captures as the user named them, Version is that of rdmacap.
	Names   []string
	Version string
	// Title stands at the top of the page, Command is the command line that lists all
	// that the captures hold, Made the time at which the page is made.
	Title, Command string
	Made           time.Time
	// MaxSize is the most octets that the page may have.
	MaxSize int64
	// Link says how to find the transport in a frame.
	Link link.Options
	// Sets are the fields of the filter language.
	Sets *query.Sets
}

// Page gathers what goes into the HTML report, and writes it when the captures are
// over. Connections are told to its Parts, and not to its own methods as a Sink.
type Page struct {
	*check.Check
	opts      Options
	page      *page.Writer
	meta      page.Meta
	startTime int64 // that the page counts from, 0 until one is known
	stats     *stats.Gatherer
	counted   *stats.Connection // of the connection that ends now
	columns   *rpcrow.Columns
	// textNumbers are those of the texts of a row.
	textNumbers []uint64
	// full and used are what parts know of the room in the page: see room.
	full atomic.Bool
	used atomic.Int64

	trail      *ladder.Trail
	states     map[*dissect.Connection]*connState
	newest     *connState // that of newestConn
	newestConn *dissect.Connection
	nowhere    connState                        // of frames without a connection, or whose connection is over
	gone       map[*dissect.Connection]struct{} // that ended in the frame in hand: at the end of the capture all
	frames     int64

	numbers  map[*finding.Finding]int
	numbered int
	items    map[*finding.Finding][]int // numbers of the evidence of findings
	fresh    []*want                    // of the frame in hand
	loose    []*want                    // about no RPC
	waiting  map[rpcKey][]*want         // about an RPC that is not over
	pending  int                        // those in waiting
	open     []openItem
	ending   bool // a connection, or the capture, ends now
	kinds    map[kindOf]int
	shown    map[caseOf]int // findings
	sampled  int            // connections that had RPCs
	unshown  int64          // findings without evidence

	series series.Set

	findings, connections *markup.Shelf
	order                 int64 // of pieces on the shelves
	rules                 byRule
	end                   finding.Ending
	ready                 bool
}

// notice tells the parts what room there is.
func (h *Page) notice() {
	h.full.Store(h.page.NextRow() < 0)
	h.used.Store(h.page.Used())
}

// room reports whether less than a share of the room for evidence was used, in percent, when
// that was noticed last: if it was not, it is not now.
func (h *Page) room(share int64) bool { return h.used.Load() < share }

// begin sets the time that the page counts from.
func (h *Page) begin(ns int64) {
	if h.startTime == 0 {
		h.startTime = ns
	}
}

// start is the time that the page counts from, in nanoseconds since 1970.
func (h *Page) start() int64 { return h.startTime }

// place words where something is.
func (h *Page) place() words.Where { return words.Where{Several: h.opts.Files > 1, Start: h.startTime} }

// since is a time as the page has it; 0 for a frame without a time.
func (h *Page) since(ns int64) int64 {
	if ns == 0 {
		return 0
	}
	return ns - h.start()
}

// A connState is what is kept of a connection until it is over.
type connState struct {
	ladder.Thread
	frames  int64
	sampled int  // RPCs whose evidence was kept because they were the first
	few     bool // there were many connections before: fewer are kept
	series  *series.Series
	// uncounted says that there were too many to have a series of it.
	uncounted bool
}

// stateOf is the state of a connection, which may be nil.
func (h *Page) stateOf(c *dissect.Connection) *connState {
	if c == nil || h.isGone(c) {
		h.nowhere = connState{uncounted: true}
		return &h.nowhere
	}
	if h.newest != nil && h.newestConn == c {
		return h.newest
	}
	s := h.states[c]
	if s == nil {
		s = new(connState)
		h.states[c] = s
	}
	h.newest, h.newestConn = s, c
	return s
}

// Forget drops the state of a connection that is over.
func (h *Page) Forget(c *dissect.Connection) {
	delete(h.states, c)
	h.newest, h.newestConn = nil, nil
	h.gone[c] = struct{}{}
}

func (h *Page) isGone(c *dissect.Connection) bool {
	if len(h.gone) == 0 {
		return false
	}
	_, gone := h.gone[c]
	return gone
}

// seriesOf is the series of a connection, nil if there are too many.
func (h *Page) seriesOf(c *dissect.Connection) *series.Series {
	s := h.stateOf(c)
	if s.series == nil && !s.uncounted {
		s.series = h.series.Open()
		s.uncounted = s.series == nil
	}
	return s.series
}

// worst is the severity of what was said and is shown.
func (h *Page) worst(said []rules.Said) (worst finding.Severity) {
	for _, s := range said {
		if h.opts.Selection.Has(&s.Finding.Finding) {
			worst = max(worst, s.Finding.Severity)
		}
	}
	return worst
}

// number is that of a finding in the page.
func (h *Page) number(f *finding.Finding) int {
	n := h.numbers[f]
	if n == 0 {
		h.numbered++
		n = h.numbered
		h.numbers[f] = n
	}
	return n
}
