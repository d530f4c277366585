package rows

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// A head is what is known of a column before there is a row. What each cell needs comes first:
// that lies together.
type head struct {
	lines.Column
	// faint says that it is in the ink of what matters least, of cells that are placed.
	faint bool
	// grows says that it is as wide as the widest ends so far.
	grows bool
	// pads says that what writes its cells pads them, by what is placed.
	pads bool
	// elided says that a cell, which is in ASCII, ends in … on a terminal where it is wider than the
	// column, so that what follows stands where it belongs.
	elided bool
	// placed writes a cell that only the order of the capture decides.
	placed func(t *Text, b *draft.Placeholder)
	// name is what --columns calls it, doc what it shows; field is the field that has the same,
	// "" if none has.
	name, doc, field string
	// narrow is how wide it is on a terminal with little room, 0 if as wide as ever.
	narrow int
	// when is from which rank of columns on it has its place on a terminal: 0 on any, 1 where
	// there is room for the first of those that can be spared, and so on; never, only if
	// somebody asks for it.
	when int
	// people says that rows for programs do not have it, programs that only they have, as the
	// field.
	people, programs bool
}

// never is the rank of columns that nobody has who did not ask for them.
const never = 1 << 10

// A column is one of rows that are about a T.
type column[T any] struct {
	// write appends the cell, nothing where the row has nothing there; nil if placed does.
	write func(t *Text, row T)
	// ink is its colour, nil for none. Only where there are colours it is asked.
	ink func(t *Text, row T) words.Ink
	head
}

// columns are those of a level: of one that is not listed there are none.
type columns struct {
	heads    []head // of that which is listed
	runs     []run  // of the heads
	frames   []column[*dissect.FrameView]
	messages []column[*dissect.Message]
	rpcs     []column[*dissect.RPC]
}

// A run is of neighbours: those that are placed come first, and those that are drafted end before
// its end. Only the first run of a row may have none that are placed.
type run struct{ placed, drafted, end uint16 }

func runsOf(heads []head) (runs []run) {
	for i := 0; i < len(heads); {
		r := run{placed: uint16(i)}
		for ; i < len(heads) && heads[i].placed != nil; i++ {
		}
		r.drafted = uint16(i)
		for ; i < len(heads) && heads[i].placed == nil; i++ {
		}
		r.end = uint16(i)
		runs = append(runs, r)
	}
	return runs
}

// cells appends a row. What stands between two cells that are placed is drafted, and neighbours
// are placed together.
func cells[T any](t *Text, list []column[T], row T, b draft.Placeholder) {
	b.What = draft.Cells
	last, drafted := len(list)-1, len(t.B)
	for n, r := range t.columns.runs {
		b.First, b.Next, b.Begins = r.placed, r.drafted, n == 0
		t.place(b)
		drafted = len(t.B)
		for i := int(r.drafted); i < int(r.end); i++ {
			c := &list[i]
			var off string
			if c.ink != nil && t.opts.Color {
				ink := c.ink(t, row)
				t.B = append(t.B, ink.On...)
				off = ink.Off
			}
			at := len(t.B)
			c.write(t, row)
			t.endCell(&c.head, at, off, i == last)
			if c.pads {
				drafted = len(t.B)
			}
		}
	}
	if t.opts.Separator != 0 {
		t.End()
		return
	}
	if len(t.B) == drafted {
		t.place(draft.Placeholder{What: draft.Trim}) // nothing follows what was placed
	} else {
		t.B = trimmed(t.B, drafted)
	}
	if t.opts.Width > 0 {
		t.place(draft.Placeholder{What: draft.Cut})
	}
	t.End()
}

// endCell ends a cell that stands from byte at on, and its ink, with what parts it from the next.
func (t *Text) endCell(c *head, at int, off string, last bool) {
	if t.opts.Separator != 0 && !c.pads {
		t.B = quoted(t.B, at, t.opts.Separator)
		if !last {
			t.B = append(t.B, t.opts.Separator)
		}
		return
	}
	if c.pads || last && !c.Right {
		t.B = append(t.B, off...)
		return
	}
	width := c.Width
	if c.grows {
		width = t.peers.Width
	}
	b, spaces := t.B, 0 // after it
	switch {
	case c.Right:
		b = lines.Pad(b, at, width, true)
	case c.elided && t.opts.Width > 0 && len(b) > at+width:
		b = append(b[:at+width-1], "…"...)
	default:
		spaces = max(0, width-words.Columns(b[at:]))
	}
	if !last {
		spaces += len(lines.Gap)
	}
	if off != "" {
		b = append(b, off...)
	}
	t.B = lines.AppendSpaces(b, spaces)
}

// fillCells writes cells that were left open.
func (t *Text) fillCells(b *draft.Placeholder) {
	if b.Begins {
		t.beginPlaceholder(b)
	}
	for i := b.First; i < b.Next; i++ {
		c := &t.columns.heads[i]
		var off string
		if c.faint && t.opts.Color {
			t.B = append(t.B, t.Style.Dim.On...)
			off = t.Style.Dim.Off
		}
		at := len(t.B)
		c.placed(t, b)
		t.endCell(c, at, off, int(i) == len(t.columns.heads)-1)
	}
}

// beginPlaceholder counts a row, and prints what has to stand above it.
func (t *Text) beginPlaceholder(b *draft.Placeholder) {
	if t.opts.Level == listing.LevelRPC {
		t.rpcs++
	}
	t.wide = t.wide || b.Wide
	t.date(b.Time)
	t.heading()
	t.timeOfDay(b.Time)
	t.between, t.follows = 0, false
	if b.Time != 0 {
		if t.before != 0 {
			t.between, t.follows = b.Time-t.before, true
		}
		t.before = b.Time
	}
}

// trimmed is b without the spaces at its end that stand from byte at on.
func trimmed(b []byte, at int) []byte { return b[:at+len(bytes.TrimRight(b[at:], " "))] }
