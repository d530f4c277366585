package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
)

// Part returns a Part that drafts what t writes. The options are Shardable.
func (t *Text) Part(d *dissect.Dissector) dissect.Part { return t.part(d) }

func (t *Text) part(d *dissect.Dissector) *rowsPart {
	p := NewText(nil, t.opts.ofPart())
	p.drafts = newDrafter(t, d)
	t.selection.parts = append(t.selection.parts, &p.selection)
	return &rowsPart{p, &p.b, p.drafts}
}

// tells is of records, of which there are none.
func (t *Text) tells(*dissect.Connection) bool { return true }

// place writes what only the order of the capture decides, or in a draft leaves it out.
func (t *Text) place(b blank) {
	if t.drafts == nil {
		t.fill(&b)
		return
	}
	b.at = len(t.b)
	t.drafts.blank(b)
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
	case blankUnlisted:
		t.rpcs++
	case blankRPC:
		t.rpcs++
		t.rpcHead(b)
	case blankMessage:
		t.messageHead(b)
	case blankFrame:
		t.frameHead(b)
	case blankAddresses:
		if b.wide {
			t.peers.width = max(t.peers.width, columns(t.b[t.mark:]))
		}
		t.end(t.mark, t.peers)
	case blankMark:
		t.mark = len(t.b)
	case blankProcedure:
		t.end(t.mark, t.procedure())
	}
}
