package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
)

// A TextPart writes drafts of rows of RPCs, for a Text. It is a dissect.Part.
type TextPart struct {
	t *Text
	d *dissect.Dissector
	// begun says that the time of its first frame was told.
	begun bool
}

// Shardable reports whether parts of it may be written apart: rows of RPCs without
// filter and details.
func (o *Options) Shardable() bool {
	return o.Level == LevelRPC && o.Filter == nil && !o.Details && !o.Hex
}

// Part returns a Part that drafts what t writes. The options are Shardable.
func (t *Text) Part(d *dissect.Dissector) dissect.Part {
	p := NewText(nil, t.opts)
	p.drafts = newDrafter(t)
	return &TextPart{t: p, d: d}
}

// Connection drafts the lines about a connection.
func (p *TextPart) Connection(c *dissect.Connection, final bool) {
	p.begin(c.FirstTime)
	p.t.Connection(c, final)
	p.wrote()
}

// Frame has only its time to tell, if it is the first.
func (p *TextPart) Frame(v *dissect.FrameView) {
	if !p.begun {
		p.begin(v.Frame.Time)
		p.wrote()
	}
}

func (p *TextPart) begin(ns int64) {
	if !p.begun && ns != 0 {
		p.begun = true
		p.t.drafts.blank(blank{at: len(p.t.b), what: blankStart, time: ns})
	}
}

// Message, at this level, has nothing to draft.
func (p *TextPart) Message(*dissect.Message) {}

// RPC drafts a row.
func (p *TextPart) RPC(r *dissect.RPC) {
	p.t.RPC(r)
	p.wrote()
}

func (p *TextPart) wrote() { p.t.drafts.wrote(len(p.t.b), p.d.At()) }

// Cut is that of dissect.Part.
func (p *TextPart) Cut() (q dissect.Queue) {
	q, p.t.b = p.t.drafts.cut(p.t.b)
	return q
}

func (t *Text) appendDraft(b []byte) { t.b = append(t.b, b...) }

func (t *Text) endDraft() {
	if len(t.b) >= flushAt {
		_ = t.Flush() // Err tells
	}
}

func (t *Text) fill(b *blank) {
	switch b.what {
	case blankNumber:
		t.b = strconv.AppendInt(t.b, int64(b.conn.ID), 10)
	case blankStart:
		t.begin(b.time)
	case blankHead:
		t.rpcs++
		t.selection.rows++
		t.rpcHead(b.conn, b.from, b.time)
	}
}
