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

// Draft returns the drafts of a shard, for whom j puts them together: what they have is up to who
// fills them.
func (j *JSON) Draft(d *dissect.Dissector) *draft.Part {
	_, p := j.part(d)
	return p
}

func (j *JSON) part(d *dissect.Dissector) (*JSON, *draft.Part) {
	p := NewJSON(nil, j.array, j.opts.OfPart())
	p.j.drafts = draft.New(j, d)
	j.selection.Parts = append(j.selection.Parts, &p.selection)
	return p, &draft.Part{Out: p, B: &p.j.B, Rows: p.j.drafts, Records: p}
}

// FirstOf implements draft.Output.
func (j *JSON) FirstOf(c *dissect.Connection) bool {
	_, told := j.announced[c]
	j.announced[c] = struct{}{}
	return !told
}

// Announce implements draft.Records.
func (j *JSON) Announce(c *dissect.Connection) { j.Connection(c, false) }

// Has implements draft.Records.
func (j *JSON) Has(c *dissect.Connection) bool {
	_, told := j.announced[c]
	return told
}

// Forget implements draft.Records: the connection is over, and is not told.
func (j *JSON) Forget(c *dissect.Connection) { delete(j.announced, c) }

// Prepare implements draft.Records.
func (j *JSON) Prepare(c *dissect.Connection) {
	j.connection(j.beginRecord("connection"), c, false)
	j.endRecord()
	j.j.drafts.WroteOf(c, len(j.j.B))
}

// AppendRow implements draft.Output.
func (j *JSON) AppendRow(b []byte) { j.j.B = append(j.j.B, b...) }

// EndRow implements draft.Output.
func (j *JSON) EndRow() {
	if len(j.j.B) >= draft.FlushAt {
		_ = j.Flush() // Err tells
	}
}

// Fill implements draft.Output.
func (j *JSON) Fill(b *draft.Placeholder) {
	switch b.What {
	case draft.Number:
		j.j.B = strconv.AppendInt(j.j.B, int64(b.Conn.ID), 10)
	case draft.Finding:
		j.j.B = strconv.AppendInt(j.j.B, j.numberOf(b.Finding), 10)
	case draft.Record:
		j.parted()
	}
}
