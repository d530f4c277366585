package html

import (
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
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
	// MaxSize is the most bytes that the page may have.
	MaxSize int64
	// Link says how to find the transport in a frame.
	Link link.Options
	// Sets are the fields of the filter language.
	Sets *query.Sets
}

// Page gathers what goes into the HTML report, and writes it when the captures are over. It is
// a finding.Form: connections are told to its Parts.
type Page struct {
	check   *check.Check
	opts    Options
	page    *page.Writer
	meta    page.Meta
	columns *rpcrow.Columns
	// textNumbers are those of the texts of a row.
	textNumbers []uint64
	startTime   int64 // that the page counts from, 0 until one is known
	room        room

	stats        *stats.Gatherer
	counted      *stats.Connection // of the connection that ends now
	series       series.Set
	whole        *series.Whole
	states       states
	recentFrames *ladder.RecentFrames

	numbers  numbering
	requests requests
	choice   choice
	found    found
	shelf    *markup.Shelf // of connections
	rules    byRule
	end      finding.Ending
	ready    bool
}

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

// seriesOf is the series of a connection, nil if there are too many.
func (h *Page) seriesOf(c *dissect.Connection) *series.Series {
	s := h.states.at(c)
	if s.series == nil && !s.uncounted {
		s.series = h.series.Open()
		s.uncounted = s.series == nil
	}
	return s.series
}

// worst is the severity of what was reported and is shown.
func (h *Page) worst(said []rules.Reported) (worst finding.Severity) {
	for _, s := range said {
		if h.opts.Selection.Has(&s.Finding.Finding) {
			worst = max(worst, s.Finding.Severity)
		}
	}
	return worst
}
