package html

import (
	"io"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/stats"
)

// New returns an HTML that keeps its data in an empty file until the page is
// written.
func New(spool io.ReadWriteSeeker, o Options) *Page {
	h := &Page{opts: o, columns: rpcrow.NewColumns(o.Sets, o.Files)}
	h.meta.Fields, h.meta.Elsewhere = h.columns.Fields, h.columns.Elsewhere
	h.page = page.NewWriter(spool, page.Options{MaxSize: o.MaxSize, Files: o.Files, Sets: h.columns.Sets(), Lists: h.columns.Lists()})
	h.stats = stats.New(func(_ *dissect.Connection, of *stats.Connection) { h.counted = of })
	h.stats.Apart = true
	h.findings, h.connections = h.page.Shelves()
	h.trail = ladder.New()
	h.states, h.gone = make(map[*dissect.Connection]*connState), make(map[*dissect.Connection]struct{})
	h.numbers, h.items = make(map[*finding.Finding]int), make(map[*finding.Finding][]int)
	h.rules = make(byRule)
	h.waiting, h.kinds = make(map[rpcKey][]*want), make(map[kindOf]int)
	h.shown = make(map[caseOf]int)
	h.Check = check.New(draft.Form{Form: h}, o.Options)
	h.Check.Watch(h)
	h.Check.AtEnd(func() { h.Across().TellNews(nil, nil, h.acrossSaid) })
	return h
}

// Keys are the fields of texts that the list of RPCs has: they are for
// dissect.Bindings.Ask.
func (h *Page) Keys() []string { return h.columns.Keys() }

// ends takes a connection that is over, before what is found of it.
func (h *Page) ends(x *ending) {
	c := x.conn
	h.stats.End(c, x.traffic)
	h.stateOf(c).Stamp = ladder.StampOf(c)
	h.late(x.late)
	h.showAll(c)
	h.ending = true
}

// Finish takes what comes last, after Dissector.Flush.
func (h *Page) Finish(s dissect.Summary, elapsed time.Duration) error {
	h.showAll(nil)
	h.ending = true
	return h.Check.Finish(s, elapsed)
}

// Starts implements finding.Form.
func (h *Page) Starts(int64) {}

// Announce implements finding.Form.
func (h *Page) Announce(*dissect.Connection) {}

// Flush does nothing: nothing is written before all is known.
func (h *Page) Flush() error { return nil }

// Err is nil, as there is no reader that may have left.
func (h *Page) Err() error { return nil }

// End implements finding.Form.
func (h *Page) End(e *finding.Ending) error {
	h.end, h.ready = *e, true
	h.series.Kept(h.page.Series)
	h.page.Close()
	return nil
}

// Ready reports whether all is known that Write needs: Finish was called.
func (h *Page) Ready() bool { return h.ready }
