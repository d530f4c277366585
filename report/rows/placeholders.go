package rows

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// Begin sets the time that rows count from: that of the first frame. A
// connection may be told before the frame that made it known.
func (t *Text) Begin(ns int64) {
	if t.start != 0 || ns == 0 {
		return
	}
	t.start = ns
	if t.deferred != nil {
		t.place(draft.Placeholder{What: draft.Start, Time: ns})
	}
}

// place writes what only the order of the capture decides, or in a draft leaves it out.
func (t *Text) place(b draft.Placeholder) {
	if t.deferred == nil {
		t.placeholder = b // which needs no memory of its own
		t.Fill(&t.placeholder)
		return
	}
	b.At = len(t.B)
	t.deferred.Leave(b)
}

// Fill implements draft.Output.
func (t *Text) Fill(b *draft.Placeholder) {
	switch b.What {
	case draft.Number:
		t.B = strconv.AppendInt(t.B, int64(b.Conn.ID), 10)
	case draft.Start:
		t.Begin(b.Time)
	case draft.Unlisted:
		t.rpcs++
	case draft.Cells:
		t.fillCells(b)
	case draft.Moment:
		t.moment(b.Time)
	case draft.Addresses:
		if b.Wide {
			t.peers.Width = max(t.peers.Width, words.Columns(t.B[t.mark:]))
		}
		t.endMarked("peers", t.peers)
	case draft.Mark:
		t.mark = len(t.B)
	case draft.Procedure:
		t.endMarked("proc", t.procedure())
	case draft.Stamp:
		t.stamp(b.Time)
	case draft.Whole:
		t.Fit(lines.More)
	case draft.Trim:
		t.B = trimmed(t.B, 0)
	case draft.Cut:
		t.Cut()
	}
}

// endMarked ends the cell of the column with that name, which began where the mark is.
func (t *Text) endMarked(name string, c lines.Column) {
	last := t.columns.heads[len(t.columns.heads)-1].name == name
	t.endCell(&head{Column: c}, t.mark, "", last)
}
