package rows

import (
	"io"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// Text writes aligned rows for a person. It is a dissect.Sink.
type Text struct {
	lines.Writer
	opts    listing.Options
	start   int64 // the time that rows count from, 0 until one is known
	columns columns
	headed  bool // the columns' names were printed
	rpcs    uint64
	peers   lines.Column // that of both ends
	// before is the time of the row before, between how much later that of this row is.
	before, between int64
	follows         bool // there was a row before, and both have a time
	// lastPeers is what stands in the column, by the sender of the row.
	lastPeers   [2]peersText
	wide        bool              // a message of version 2 was seen, whose procedures have longer names
	mark        int               // where in B the column begins that is filled next
	placeholder draft.Placeholder // that is filled at once
	clock       words.Clock
	day         day
	now         int64 // the newest time that it received, in nanoseconds since 1970: of drafts, their Dissector knows
	words       words.Words
	taken       bool // the words are of the RPC whose row is written
	selection   listing.Selection
	context     *exhibit.Context // nil unless frames are shown with details
	moves       *exhibit.Moves   // nil unless RPCs are
	sorted      *sorted          // nil unless rows have an order of their own
	rows        int              // that were listed, if there is a limit
	deferred    *draft.Deferrer  // nil unless what is written are drafts
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, opts listing.Options) *Text {
	t := &Text{Writer: lines.New(w, opts.Color, opts.Width), opts: opts, selection: listing.NewSelection(opts.Filter, opts.Limit > 0)}
	t.columns = layOut(&t.opts)
	if t.sorted = newSorted(&t.opts); t.sorted != nil {
		t.Hold() // a row is taken out when it is whole
	}
	if opts.Details {
		t.context, t.moves = exhibit.Following(opts.Level, opts.Files > 1)
	}
	t.peers.Width = minPeers
	for _, h := range t.columns.heads {
		if h.grows {
			t.peers.Name = h.Name
		}
	}
	return t
}

// Where words where something is, as rows do.
func (t *Text) Where() words.Where {
	return words.Where{Several: t.opts.Files > 1, Start: t.start, TimeOfDay: t.opts.TimeOfDay}
}

// peersText is what peersOf made of a connection.
type peersText struct {
	id   int
	text []byte
}

// procedure is the column of procedures of transport headers.
func (t *Text) procedure() lines.Column {
	c := lines.Column{Name: "Procedure", Width: len("RDMA_ERROR")}
	if t.wide {
		c.Width = len("RDMA2_OPTIONAL")
	}
	return c
}

// more begins a further line about a connection.
func (t *Text) more() { t.B = append(t.B, lines.More...) }

// endFit ends a line, which is broken at spaces where a terminal is too narrow for it.
func (t *Text) endFit() {
	t.Fit(lines.More)
	t.End()
}
