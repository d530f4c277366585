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
	p.drafts = draft.New(t, d)
	t.selection.Parts = append(t.selection.Parts, &p.selection)
	return p, &draft.Part{Out: p, B: &p.B, Drafts: p.drafts}
}

// Tells is of records, of which there are none.
func (t *Text) Tells(*dissect.Connection) bool { return true }

// AppendDraft implements draft.Output.
func (t *Text) AppendDraft(b []byte) { t.B = append(t.B, b...) }

// EndDraft implements draft.Output.
func (t *Text) EndDraft() {
	if t.Full() {
		_ = t.Flush() // Err tells
	}
}
