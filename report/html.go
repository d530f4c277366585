package report

import (
	"io"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/stats"
)

// HTMLOptions are what the HTML report can be told.
type HTMLOptions struct {
	CheckOptions
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

// HTML gathers what goes into the HTML report, and writes it when the captures are
// over. It is a dissect.Sink and a dissect.AccessSink.
//
//	Dissector ──> HTML ──> Findings ──> findings, when their connection is over
//	               ├─────> stats.Gatherer ──> tables of the connection
//	               ├─────> rows of RPCs, series ──┐
//	               └─────> evidence: ladders, octets ──> page.Writer
type HTML struct {
	*Findings
	opts    HTMLOptions
	page    *page.Writer
	meta    page.Meta
	words   wording
	say     *findingsText // words about frames and times
	stats   *stats.Gatherer
	counted *stats.Connection // of the connection that ends now
	row     rowMaker
	columns []setColumn
	lists   *listColumns
	sets    []filter.Numbers // one for each

	trail      *trail
	now        now
	states     map[*dissect.Connection]*connState
	newest     *connState // that of newestConn
	newestConn *dissect.Connection
	nowhere    connState             // of frames without a connection, or whose connection is over
	gone       []*dissect.Connection // that ended in the frame in hand
	frames     int64

	numbers  map[*rules.Finding]int
	numbered int
	items    map[*rules.Finding][]int // numbers of the evidence of findings
	fresh    []*want                  // of the frame in hand
	loose    []*want                  // about no RPC
	waiting  map[rpcKey][]*want       // about an RPC that is not over
	pending  int                      // those in waiting
	open     []openItem
	ending   bool // a connection, or the capture, ends now
	severity rules.Severity
	kinds    map[kindOf]int
	shown    map[caseOf]int // findings
	sampled  int            // connections that had RPCs
	unshown  int64          // findings without evidence

	counting  int   // connections whose series are counted
	uncounted int64 // connections that have no series
	kept      []keptOne
	bins      [][]bin // of series that are over, for others

	findings, connections *page.Shelf
	order                 int64 // of pieces on the shelves
	first                 headline
	rules                 byRule
	end                   ending
	ready                 bool
}

// NewHTML returns an HTML that keeps its data in an empty file until the page is
// written.
func NewHTML(spool io.ReadWriteSeeker, o HTMLOptions) *HTML {
	h := &HTML{opts: o, lists: new(listColumns)}
	if o.Sets != nil {
		h.describeFields(o.Sets)
	}
	h.page = page.NewWriter(spool, page.Options{MaxSize: o.MaxSize, Files: o.Files, Sets: h.columnNames(), Lists: h.lists.columns})
	h.lists.number(h.page.Text)
	h.say = &findingsText{t: NewText(io.Discard, Options{Files: o.Files})}
	h.say.aside = NewText(&h.say.made, Options{Files: o.Files})
	h.stats = stats.New(func(_ *dissect.Connection, of *stats.Connection) { h.counted = of })
	h.stats.Apart = true
	h.findings, h.connections = h.page.Shelves()
	h.trail = newTrail()
	h.states = make(map[*dissect.Connection]*connState)
	h.numbers, h.items = make(map[*rules.Finding]int), make(map[*rules.Finding][]int)
	h.rules = make(byRule)
	h.waiting, h.kinds = make(map[rpcKey][]*want), make(map[kindOf]int)
	h.shown = make(map[caseOf]int)
	h.Findings = newFindings(h, o.CheckOptions)
	h.Findings.Watch(h)
	return h
}

// Keys are the fields of texts that the list of RPCs has: they are for
// dissect.Bindings.Ask.
func (h *HTML) Keys() []string { return h.lists.keys() }

// Connection implements dissect.Sink.
func (h *HTML) Connection(c *dissect.Connection, final bool) {
	h.begin(c.FirstTime)
	h.stats.Connection(c, final)
	if final {
		h.showAll(c)
		h.ending = true
	}
	h.Findings.Connection(c, final)
	if final {
		h.ending = false
		h.forget(c)
	}
}

// Frame implements dissect.Sink.
func (h *HTML) Frame(v *dissect.FrameView) {
	h.begin(v.Frame.Time)
	h.Findings.Frame(v)
	h.seen(v)
}

// Message implements dissect.Sink.
func (h *HTML) Message(m *dissect.Message) {
	h.now.message(m)
	h.Findings.Message(m)
	h.stats.Message(m)
	h.seriesOf(m.Connection).message(m)
}

// Access implements dissect.AccessSink.
func (h *HTML) Access(a *dissect.Access) {
	h.now.access(a)
	h.Findings.Access(a)
	if a.Connection.RPCRDMA() {
		h.seriesOf(a.Connection).access(a)
	}
}

// RPC implements dissect.Sink.
func (h *HTML) RPC(r *dissect.RPC) {
	h.Findings.RPC(r)
	h.stats.RPC(r)
	h.words.ops = h.stats.Ops()
	h.judged(r)
	h.failed(r)
}

// Finish takes what comes last, after Dissector.Flush.
func (h *HTML) Finish(s dissect.Summary, elapsed time.Duration) error {
	h.showAll(nil)
	h.ending = true
	return h.Findings.Finish(s, elapsed)
}

// begin sets the time that the page counts from.
func (h *HTML) begin(ns int64) {
	h.say.t.begin(ns)
	h.say.aside.begin(ns)
}

// start is the time that the page counts from, in nanoseconds since 1970.
func (h *HTML) start() int64 { return h.say.t.start }

// since is a time as the page has it; 0 for a frame without a time.
func (h *HTML) since(ns int64) int64 {
	if ns == 0 {
		return 0
	}
	return ns - h.start()
}

func (h *HTML) starts(int64)                 {}
func (h *HTML) announce(*dissect.Connection) {}

// Flush does nothing: nothing is written before all is known.
func (h *HTML) Flush() error { return nil }

// Err is nil, as there is no reader that may have left.
func (h *HTML) Err() error { return nil }

func (h *HTML) finish(e *ending) error {
	h.end, h.ready = *e, true
	for i := range h.kept {
		h.page.Series(&h.kept[i].Series)
	}
	h.page.Close()
	return nil
}

// Ready reports whether all is known that Write needs: Finish was called.
func (h *HTML) Ready() bool { return h.ready }
