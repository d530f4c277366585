package story

import (
	"fmt"

	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// Begin reports what the story is about, what was found of it, and that frames follow.
func (p *Plot) Begin(t *rows.Text) {
	t.B = append(t.B, lines.Mark...)
	t.B = t.Style.Heading.Append(t.B, p.Title)
	t.Fit(lines.More)
	t.End()
	text := lines.Paragraph{To: &t.Writer, Prefix: lines.More}
	for _, line := range p.Lines {
		text.Write("", line)
	}
	if p.Others > 0 {
		text.Write("", fmt.Sprintf("%s with this XID; the next starts in frame %s", words.AppendCount(nil, int64(p.Others), "more RPC"), p.More.Name(p.More.File > 0)))
	}
	p.heading(t, "findings")
	for _, line := range p.Findings {
		text.Write("", line)
	}
	if len(p.Findings) == 0 {
		text.Write("", "none about it")
	}
	p.heading(t, "frames")
}

// Finish reports what its messages say.
func (p *Plot) Finish(t *rows.Text) {
	if len(p.Decoded) == 0 {
		return
	}
	p.heading(t, "decoded")
	t.B = append(t.B, p.Decoded...)
}

// heading begins a part.
func (p *Plot) heading(t *rows.Text, text string) {
	t.End()
	t.B = append(t.B, lines.Mark...)
	t.B = append(t.B, text...)
	t.End()
}
