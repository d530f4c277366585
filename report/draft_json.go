package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
)

// A JSONPart writes drafts of records of RPCs, for a JSON. It is a dissect.Part.
type JSONPart struct {
	j *JSON
	d *dissect.Dissector
}

// Part returns a Part that drafts what j writes. The options are Shardable.
func (j *JSON) Part(d *dissect.Dissector) dissect.Part { return j.part(d) }

func (j *JSON) part(d *dissect.Dissector) *JSONPart {
	p := NewJSON(nil, j.array, j.opts)
	p.j.drafts = newDrafter(j)
	return &JSONPart{p, d}
}

// Connection drafts a connection record.
func (p *JSONPart) Connection(c *dissect.Connection, final bool) {
	p.j.Connection(c, final)
	p.wrote()
}

// Frame, at this level, has nothing to draft.
func (p *JSONPart) Frame(*dissect.FrameView) {}

// Message, at this level, has nothing to draft.
func (p *JSONPart) Message(*dissect.Message) {}

// RPC drafts a record.
func (p *JSONPart) RPC(r *dissect.RPC) {
	p.j.RPC(r)
	p.wrote()
}

// drafted is how many parts the draft has.
func (p *JSONPart) drafted() int { return p.j.j.drafts.now.Len() }

func (p *JSONPart) wrote() { p.j.j.drafts.wrote(len(p.j.j.b), p.d.At()) }

// Cut is that of dissect.Part.
func (p *JSONPart) Cut() (q dissect.Queue) {
	q, p.j.j.b = p.j.j.drafts.cut(p.j.j.b)
	return q
}

func (j *JSON) appendDraft(b []byte) { j.j.b = append(j.j.b, b...) }

func (j *JSON) endDraft() {
	if len(j.j.b) >= flushAt {
		_ = j.Flush() // Err tells
	}
}

func (j *JSON) fill(b *blank) {
	switch b.what {
	case blankNumber:
		j.j.b = strconv.AppendInt(j.j.b, int64(b.conn.ID), 10)
	case blankBegin:
		j.parted()
	}
}
