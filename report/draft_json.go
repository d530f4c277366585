package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
)

// Part returns a Part that drafts what j writes. The options are Shardable.
func (j *JSON) Part(d *dissect.Dissector) dissect.Part { return j.part(d) }

func (j *JSON) part(d *dissect.Dissector) *rowsPart {
	p := NewJSON(nil, j.array, j.opts.ofPart())
	p.j.drafts = newDrafter(j, d)
	j.selection.parts = append(j.selection.parts, &p.selection)
	return &rowsPart{p, &p.j.b, p.j.drafts}
}

func (j *JSON) tells(c *dissect.Connection) bool {
	_, told := j.told[c]
	j.told[c] = struct{}{}
	return !told
}

// spare drafts the first record of a connection, for whoever may have to write it before
// the part does.
func (j *JSON) spare(c *dissect.Connection) {
	j.connection(j.begin("connection"), c, false)
	j.end()
	j.j.drafts.wroteOf(c, len(j.j.b))
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
	case blankFinding:
		j.j.b = strconv.AppendInt(j.j.b, j.numberOf(b.finding), 10)
	case blankBegin:
		j.parted()
	}
}
