package rows

import (
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/words"
)

// exhibits prints the field trees and bytes that were asked for. With the
// bytes, each line of the tree stands beside those that it was read from.
//
//	Frame 44, 62 bytes
//	  0000                                        ..    Ethernet
//	  0000  52 54 00 00 00 02                     RT..    Destination: 52:54:00:00:00:02
func (t *Text) exhibits(of func() []exhibit.Exhibit) {
	if !t.opts.Details && !t.opts.Hex {
		return
	}
	t.Exhibits(of())
}

// moment appends when a frame was captured, and how much later than the row before, after its title.
func (t *Text) moment(ns int64) {
	t.B = append(t.B, " at "...)
	t.B = words.AppendSeconds(t.B, ns-t.start)
	t.B = append(t.B, " s"...)
	if t.follows && t.sorted == nil {
		t.B = append(t.B, ", "...)
		t.B = words.AppendSeconds(t.B, t.between)
		t.B = append(t.B, " s after the row before"...)
	}
}

// Exhibits prints field trees, or the bytes with them.
func (t *Text) Exhibits(list []exhibit.Exhibit) {
	for i, e := range list {
		t.Spaces(4)
		t.B = t.Style.Heading.Append(t.B, e.Title(t.opts.Files > 1))
		t.Fit("      ")
		if i == 0 && e.Time != 0 {
			t.place(draft.Placeholder{What: draft.Moment, Time: e.Time})
		}
		t.End()
		if t.opts.Hex && len(e.Bytes) > 0 {
			t.dump(e)
		} else {
			t.tree(e.Nodes, 6)
		}
	}
	t.End()
}
