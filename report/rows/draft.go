package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
)

// Part returns a Part that drafts what t writes. The options are Shardable.
func (t *Text) Part(d *dissect.Dissector) dissect.Part {
	out, p := t.Draft(d)
	if out.moves != nil {
		return &draft.Accessed{Part: p, AccessSink: out}
	}
	return p
}

// Draft is Part with its output.
func (t *Text) Draft(d *dissect.Dissector) (*Text, *draft.Part) {
	p := NewText(nil, t.opts.OfPart())
	p.Hold()
	p.deferred = draft.New(t, d)
	t.selection.Parts = append(t.selection.Parts, &p.selection)
	return p, &draft.Part{Out: p, B: &p.B, Rows: p.deferred}
}

// FirstOf is of records, of which there are none.
func (t *Text) FirstOf(*dissect.Connection) bool { return true }

// AppendRow implements draft.Output.
func (t *Text) AppendRow(b []byte) { t.B = append(t.B, b...) }

// EndRow implements draft.Output.
func (t *Text) EndRow() {
	if t.Full() {
		_ = t.Flush() // Err tells
	}
}
