package html

import (
	"io"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/rpcrow"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/markup"
)

// New returns an HTML that keeps its data in an empty file until the page is
// written.
func New(spool io.ReadWriteSeeker, o Options) *Page {
	h := &Page{opts: o, columns: rpcrow.NewColumns(o.Sets, o.Files)}
	h.meta.Fields, h.meta.Elsewhere = h.columns.Fields, h.columns.Elsewhere
	h.page = page.NewWriter(spool, page.Options{MaxSize: o.MaxSize, Files: o.Files, Sets: h.columns.Sets(), Lists: h.columns.Lists()})
	h.stats = stats.New(func(_ *dissect.Connection, of *stats.Connection) { h.counted = of })
	h.stats.Apart = true
	h.found, h.shelf = newFound(h.page.FindingsRoom()), markup.NewShelf(h.page.ConnectionsRoom())
	h.states, h.recentFrames, h.whole = newStates(), ladder.New(), series.NewWhole()
	h.numbers, h.choice, h.rules = newNumbering(), newChoice(ofASlowKind), make(byRule) // one more kind of so many tells nothing
	h.requests.waiting = make(map[rpcKey][]*evidenceRequest)
	h.check = check.New(draft.Form{Form: h}, o.Options)
	h.check.AtEnd(func() {
		h.showAll(nil)
		h.requests.ending = true
		h.check.CrossConnection().EmitNewFindings(nil, nil, h.crossConnectionFinding)
	})
	return h
}

// Keys are the fields of texts that the list of RPCs has: they are for
// dissect.Bindings.Ask.
func (h *Page) Keys() []string { return h.columns.Keys() }

// ends takes a connection that is over, before what is found of it.
func (h *Page) ends(x *ending) {
	c := x.conn
	h.stats.End(c, x.traffic)
	h.states.at(c).Stamp = ladder.StampOf(c)
	h.late(x.late)
	h.showAll(c)
	h.requests.ending = true
}

// Check is what has the rules look at what the Parts are told, and writes what they find in the
// page.
func (h *Page) Check() *check.Check { return h.check }

// End implements finding.Form.
func (h *Page) End(e *finding.Ending) error {
	h.end, h.ready = *e, true
	h.series.Kept(h.page.Series)
	if p, ok := h.whole.Page(h.start()); ok {
		h.page.Whole(&p)
	}
	h.page.Close()
	h.shelf.Fit(h.page.Left(h.found.Used()))
	return nil
}

// Ready reports whether all is known that Write needs: Finish was called.
func (h *Page) Ready() bool { return h.ready }
