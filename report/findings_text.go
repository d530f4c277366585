package report

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// findingsText writes findings for a person: a connection, then what was found on
// it, the worst first, each with what it led to below it, then the verdict.
type findingsText struct {
	t     *Text
	quiet bool
	// aside is where lines are made that have to be broken before they are printed.
	aside *Text
	made  bytes.Buffer
}

// NewFindingsText returns Findings that write text to w.
func NewFindingsText(w io.Writer, o CheckOptions) *Findings {
	return newFindings(newFindingsText(w, o), o)
}

func newFindingsText(w io.Writer, o CheckOptions) *findingsText {
	x := &findingsText{t: NewText(w, o.Options), quiet: o.Quiet}
	plain := o.Options
	plain.Color = false
	x.aside = NewText(&x.made, plain)
	return x
}

func (x *findingsText) starts(ns int64)                { x.t.begin(ns) }
func (x *findingsText) announce(c *dissect.Connection) { x.t.begin(c.FirstTime) }
func (x *findingsText) Flush() error                   { return x.t.Flush() }
func (x *findingsText) Err() error                     { return x.t.Err() }

func (x *findingsText) found(f *found) {
	t, c := x.t, f.connection
	switch {
	case len(f.roots) == 0 && (c == nil || x.quiet):
		return
	case len(f.roots) == 0:
		head, _, _ := strings.Cut(x.text(func(t *Text) { t.connectionStart(c) }), "\n")
		x.lines(head, t.style.conn)
	case c != nil:
		x.lines(x.text(func(t *Text) { t.connectionStart(c) }), t.style.conn)
	default:
		x.lines(connectionMark+"the whole capture", t.style.conn)
	}
	for _, root := range f.roots {
		t.endRow()
		x.finding(root, branch{}, "")
	}
	if len(f.roots) > 0 {
		t.endRow()
		if c != nil {
			x.lines(x.text(func(t *Text) { t.connectionEnd(c) }), ink{})
		}
	}
	t.more()
	x.verdict(f.tally)
	if c != nil && len(f.roots) == 0 && c.RPCs > 0 {
		t.b = append(t.b, " in "...)
		t.b = appendCount(t.b, c.RPCs, "RPC")
	}
	t.endRow()
	p := paragraph{t: t, prefix: connectionMore}
	for _, g := range f.gates {
		p.write("not checked: ", g.What+" ("+g.Why+")")
	}
	t.endRow()
}

// text is what something prints, without colour.
func (x *findingsText) text(print func(t *Text)) string {
	print(x.aside)
	_ = x.aside.Flush() // into memory: it cannot fail
	text := x.made.String()
	x.made.Reset()
	return strings.TrimSuffix(text, "\n")
}

// lines prints lines no wider than a page, the first of them in an ink.
func (x *findingsText) lines(text string, i ink) {
	for line := range strings.SplitSeq(text, "\n") {
		p := paragraph{t: x.t, prefix: connectionMore, under: 3}
		if rest, first := strings.CutPrefix(line, connectionMark); first {
			x.t.b = append(x.t.b, i.on...)
			x.t.b = append(x.t.b, strings.TrimRight(connectionMark, " ")...)
			p.begin(" ", rest, i)
		} else {
			p.write("", line)
		}
		i = ink{}
	}
}

// verdict appends the counts in the ink of the worst.
func (x *findingsText) verdict(n Tally) {
	i := x.t.style.good
	for _, s := range rules.Severities() {
		if n.AtLeast(s) {
			i = x.ink(s)
			break
		}
	}
	x.t.b = i.append(x.t.b, n.String())
}

func (x *findingsText) ink(s rules.Severity) ink { return severityInk(&x.t.style, s) }

// severityInk is the colour of a severity.
func severityInk(of *style, s rules.Severity) ink {
	switch s {
	case rules.Error:
		return of.bad
	case rules.Warning:
		return of.odd
	}
	return of.name
}

func (x *findingsText) finish(e *ending) error {
	t := x.t
	if x.quiet {
		return t.Flush()
	}
	x.verdict(e.tally)
	p := paragraph{t: t, under: 3}
	scope := scopeOf(e)
	between := ""
	if strings.HasPrefix(scope, "on ") {
		between = " "
	}
	p.begin(between, scope, ink{})
	p.write("", x.text(func(t *Text) { _ = t.Finish(e.Summary, e.elapsed) })) // into memory
	return t.Flush()
}

// scopeOf says what the verdict of all is about.
func scopeOf(e *ending) string {
	all := string(appendCount(nil, e.Connections, "connection"))
	s := ""
	switch {
	case e.tally == Tally{}:
		s = "on " + all
	case e.guilty > 0:
		s = "on " + strconv.FormatInt(e.guilty, 10) + " of " + all
	}
	if e.shown.OfRules() {
		s += ", of the rules that were asked for"
	}
	if out := e.shown.LeftOut(); out != "" {
		s += ", with " + out + " left out"
	}
	if e.gated > 0 {
		s += "; not everything could be checked on " + string(appendCount(nil, e.gated, "connection"))
	}
	return s
}

// A branch is what stands left of a finding that others explain: the lines of the
// tree on its first line and on those below it.
type branch struct{ first, rest string }

// finding prints one, and below it those that it explains.
func (x *findingsText) finding(f *rules.Finding, at branch, why string) {
	t := x.t
	t.b = append(t.b, at.first...)
	t.b = append(t.b, why...)
	t.b = x.ink(f.Severity).append(t.b, f.Severity.String())
	t.b = append(t.b, ' ')
	t.b = t.style.heading.append(t.b, f.ID())
	p := paragraph{t: t, prefix: at.rest, under: 6}
	p.begin(gap, findingTitle(f), ink{})
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

// findingTitle is the rule's title, and that of the case.
func findingTitle(f *rules.Finding) string {
	if c := f.Rule.Case(f.Letter); f.Letter != "" && c != nil {
		return f.Rule.Title + ": " + c.Title
	}
	return f.Rule.Title
}

// body prints what is said of a finding. What to do stands only where nothing
// else explains it: there the cause is what to look at.
func (x *findingsText) body(f *rules.Finding, prefix string, root bool) {
	t := x.t
	p := paragraph{t: t, prefix: prefix}
	p.write("", sentence(f.Message))
	p.write("where", x.where(f))
	x.values(f.Evidence, prefix)
	p.write("octets", x.octets(f))
	for i, c := range f.Consequences {
		label := "then"
		if i > 0 {
			label = " "
		}
		p.write(label, x.consequence(f, c))
	}
	if f.Doubt != "" {
		p.write("doubt", "likely, not certain: "+f.Doubt)
	}
	if f.Count > 1 {
		p.write("found", strconv.FormatInt(f.Count, 10)+" times, last in "+x.frameName(f.Last)+x.at(f.LastTime))
	}
	p.write("reference", f.Rule.Reference)
	if root {
		p.write("advice", f.WhatToDo())
	}
}

// sentence begins with a capital letter and ends with a full stop, so that a message
// reads as one; names of fields, which have underscores, stay as they are.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if word, _, _ := strings.Cut(s, " "); s[0] >= 'a' && s[0] <= 'z' && !strings.ContainsAny(word, "_.") {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
