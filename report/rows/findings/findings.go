// Package findings writes what the rules found as text for people: the verdict and each finding
// when all connections are over, a line for each, or as they are found live.
package findings

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// New returns a form that writes text to w; failOn is the lowest severity for which the exit status will be 1, 0 if
// it is 0 whatever is found.
func New(w io.Writer, o listing.Options, failOn finding.Severity) draft.Form {
	x := newForm(w, o)
	x.failOn, x.judges = failOn, true
	return x.as(x)
}

// collapses reports whether a finding at the root has no text of its own: Linux peers have such notes, and it
// explains nothing else.
func (x *form) collapses(f *finding.Finding) bool {
	return !x.opts.All && f.Usual() && len(f.Effects) == 0
}

// connection is who one is between, and what it came to.
func (x *form) connection(c *dissect.Connection) string {
	b := fmt.Appendf(nil, "%s#%d ", lines.Mark, c.ID)
	b = append(rows.AppendPeers(b, c), "; "...)
	b = words.AppendClosing(b, words.Inks{}, c)
	for _, line := range rows.Version2(c, x.opts.Files > 1) {
		b = append(append(append(b, '\n'), lines.More...), line...)
	}
	return string(b)
}

// Found implements finding.Form.
func (x *form) Found(f *finding.Found) {
	c, d := f.Connection, &x.digest
	if d.detail == nil {
		d.detail = rows.NewText(&d.made, x.opts)
	}
	page := x.t
	d.detail.Begin(page.Where().Start)
	worst := 0
	for _, root := range f.Roots {
		worst = max(worst, 1+finding.Worst(root))
		if x.collapses(root) {
			continue
		}
		d.addFinding(root, x.frameAndConnection(root), func() {
			x.t = d.detail
			x.finding(root, branch{}, "")
			x.t = page
		})
	}
	if c == nil || f.Chosen && len(f.Roots) == 0 {
		return
	}
	for _, g := range f.Gates {
		d.gate(c, g)
	}
	d.connection(connectionText{worst, c.ID, x.connection(c), f.Counts()})
}

// frameAndConnection says where a finding is, where others that say the same are told.
func (x *form) frameAndConnection(f *finding.Finding) string {
	s := x.t.Where().Frame(f.Frame)
	if c := f.Connection; c != nil {
		s += fmt.Sprintf(words.NBSP+"of"+words.NBSP+"#%d", c.ID)
	}
	return s
}

// lines prints lines no wider than a page, the first of them in an ink.
func (x *form) lines(text string, i words.Ink) {
	for line := range strings.SplitSeq(text, "\n") {
		p := lines.Paragraph{To: &x.t.Writer, Prefix: lines.More, Under: 3}
		if rest, first := strings.CutPrefix(line, lines.Mark); first {
			x.t.B = append(x.t.B, i.On...)
			x.t.B = append(x.t.B, strings.TrimRight(lines.Mark, " ")...)
			p.Begin(" ", rest, i)
		} else {
			p.Write("", line)
		}
		i = words.Ink{}
	}
}

// verdict appends the counts in the ink of the worst.
func (x *form) verdict(e *finding.Ending) {
	n, i := e.Tally, x.t.Style.Good
	for _, s := range finding.Severities() {
		if n.AtLeast(s) {
			i = x.ink(s)
			break
		}
	}
	shown, _ := e.Counts()
	x.t.B = i.Append(x.t.B, shown)
}

// End implements finding.Form.
func (x *form) End(e *finding.Ending) error {
	t, list := x.t, x.digest.texts.Sorted()
	if x.quiet && len(list) == 0 {
		return t.Flush()
	}
	t.Stamp(max(e.Last, t.Newest())) // the report is one block: its first line has the time
	x.heading("verdict")
	p := lines.Paragraph{To: &t.Writer}
	for _, s := range e.Verdict {
		p.Write("", s)
	}
	x.calls(e)
	shown, usual := e.Overview, []*finding.OverviewRow(nil)
	if !x.opts.All {
		shown, usual = splitUsual(shown)
	}
	if len(shown)+len(usual) > 0 {
		t.End()
	}
	if len(shown) > 0 {
		x.heading("overview")
		x.overview(shown)
	}
	x.usual(usual)
	if len(list) > 0 {
		t.End()
		x.heading("findings, most harmful first")
	}
	for i, f := range list {
		if i > 0 {
			t.End()
		}
		t.B = append(t.B, f.Value...)
		if more := f.N - 1; more > 0 {
			also := strings.Join(f.Places, ", ")
			if n := more - int64(len(f.Places)); n > 0 {
				also += fmt.Sprintf(" and %d"+words.NBSP+"more", n)
			}
			p := lines.Paragraph{To: &t.Writer, Prefix: "    "}
			p.Write("also", also)
		}
	}
	if n := x.digest.leftOut(); n > 0 {
		t.End()
		p.Write("", fmt.Sprintf("%s did not fit here: --brief, json and ndjson list all.", words.AppendCount(nil, n, "finding")))
	}
	x.connections()
	if x.quiet {
		return t.Flush()
	}
	t.End()
	x.heading("in short")
	x.short(e)
	return t.Flush()
}

// heading begins a part.
func (x *form) heading(text string) {
	x.t.B = x.t.Style.Conn.Append(x.t.B, lines.Mark+text)
	x.t.End()
}

// connections prints what each connection came to, and what could not be checked.
func (x *form) connections() {
	t, d := x.t, &x.digest
	if len(d.connections) > 0 {
		t.End()
		x.heading("connections")
	}
	p := lines.Paragraph{To: &t.Writer, Prefix: lines.More}
	for _, c := range d.connections {
		if x.quiet && c.worst == 0 {
			continue
		}
		x.lines(c.text, words.Ink{})
		p.Write("", c.tally)
	}
	if d.others > 0 {
		p.Write("", fmt.Sprintf("and %s with less", words.AppendCount(nil, d.others, "more connection")))
	}
	for _, u := range d.unchecked {
		p.Write("not checked: ", fmt.Sprintf("%s (%s), on %s", u.What, u.Why, u.where()))
	}
}

// counts prints the counts of all.
func (x *form) counts(e *finding.Ending) {
	x.verdict(e)
	p := lines.Paragraph{To: &x.t.Writer, Under: 3}
	scope := words.ScopeOf(e)
	between := ""
	if strings.HasPrefix(scope, "on ") {
		between = " "
	}
	p.Begin(between, scope, words.Ink{})
	p.Write("", string(words.AppendRead(words.AppendExtent(x.t.AppendShown(nil, &e.Summary), &e.Summary), words.Inks{}, &e.Summary, e.Elapsed)))
}

// A branch is what stands left of a finding that others explain: the lines of the
// tree on its first line and on those below it.
type branch struct{ first, rest string }

// finding prints one, and below it those that it explains.
func (x *form) finding(f *finding.Finding, at branch, why string) {
	t := x.t
	t.B = append(t.B, at.first...)
	t.B = append(t.B, why...)
	t.B = x.ink(f.Severity).Append(t.B, f.Severity.String())
	t.B = append(t.B, ' ')
	t.B = t.Style.Heading.Append(t.B, f.ID())
	p := lines.Paragraph{To: &t.Writer, Prefix: at.rest, Under: 6}
	p.Begin(lines.Gap, words.FindingTitle(f), words.Ink{})
	more := at.rest + "    "
	below := more
	if len(f.Effects) > 0 {
		below = at.rest + "│   "
	}
	x.body(f, below, at == branch{})
	for i, e := range f.Effects {
		next := branch{at.rest + "├── ", at.rest + "│   "}
		if i == len(f.Effects)-1 {
			next = branch{at.rest + "└── ", more}
		}
		x.finding(e, next, "which explains ")
	}
}

// body prints what is reported of a finding. What to do stands only where nothing
// else explains it: there the cause is what to look at.
func (x *form) body(f *finding.Finding, prefix string, root bool) {
	t := x.t
	p := lines.Paragraph{To: &t.Writer, Prefix: prefix}
	p.Write("", words.Sentence(f.Message))
	p.Write("where", x.where(f))
	x.values(f.Evidence, prefix)
	p.Write("bytes", x.t.Where().Bytes(f))
	for i, c := range f.Consequences {
		label := "then"
		if i > 0 {
			label = " "
		}
		p.Write(label, x.consequence(f, c))
	}
	if f.Doubt != "" {
		p.Write("doubt", "likely, not certain: "+f.Doubt)
	}
	if f.Count > 1 {
		p.Write("found", strconv.FormatInt(f.Count, 10)+" times, last in "+x.t.Where().Frame(f.Last)+x.t.Where().At(f.LastTime))
	}
	p.Write("reference", f.Rule.Reference)
	if root {
		p.Write("advice", f.WhatToDo())
	}
}
