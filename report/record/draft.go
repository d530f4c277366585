package record

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
)

// Part returns a Part that drafts what j writes. The options are Shardable.
func (j *JSON) Part(d *dissect.Dissector) dissect.Part {
	out, p := j.part(d)
	if out.moves != nil {
		return &draft.Accessed{Part: p, AccessSink: out}
	}
	return p
}

func (j *JSON) part(d *dissect.Dissector) (*JSON, *draft.Part) {
	p := NewJSON(nil, j.array, j.opts.OfPart())
	p.j.drafts = draft.New(j, d)
	j.selection.Parts = append(j.selection.Parts, &p.selection)
	return p, &draft.Part{Out: p, B: &p.j.B, Drafts: p.j.drafts, Records: p}
}

// Tells implements draft.Output.
func (j *JSON) Tells(c *dissect.Connection) bool {
	_, told := j.told[c]
	j.told[c] = struct{}{}
	return !told
}

// Announce implements draft.Records.
func (j *JSON) Announce(c *dissect.Connection) { j.Connection(c, false) }

// Told implements draft.Records.
func (j *JSON) Told(c *dissect.Connection) bool {
	_, told := j.told[c]
	return told
}

// Forget implements draft.Records: the connection is over, and is not told.
func (j *JSON) Forget(c *dissect.Connection) { delete(j.told, c) }

// Spare implements draft.Records.
func (j *JSON) Spare(c *dissect.Connection) {
	j.connection(j.begin("connection"), c, false)
	j.end()
	j.j.drafts.WroteOf(c, len(j.j.B))
}

// AppendDraft implements draft.Output.
func (j *JSON) AppendDraft(b []byte) { j.j.B = append(j.j.B, b...) }

// EndDraft implements draft.Output.
func (j *JSON) EndDraft() {
	if len(j.j.B) >= draft.FlushAt {
		_ = j.Flush() // Err tells
	}
}

// Fill implements draft.Output.
func (j *JSON) Fill(b *draft.Blank) {
	switch b.What {
	case draft.Number:
		j.j.B = strconv.AppendInt(j.j.B, int64(b.Conn.ID), 10)
	case draft.Finding:
		j.j.B = strconv.AppendInt(j.j.B, j.numberOf(b.Finding), 10)
	case draft.Record:
		j.parted()
	}
}
