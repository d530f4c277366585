// Package explain writes the catalogue of rules as text for people: the list of them, and all
// that there is to say of each.
package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
)

// A Catalogue writes the rules for a person.
type Catalogue struct {
	// Samples says that the captures that a rule is tested with are wanted too, as text.
	Samples bool

	t   lines.Writer
	all []*rules.Rule
}

// New returns a Catalogue that writes to w; all are the rules that there are, whichever are
// shown. It has so many columns, 0 where nobody looks at it on a terminal.
func New(w io.Writer, all []*rules.Rule, color bool, columns int) *Catalogue {
	return &Catalogue{t: lines.New(w, color, columns), all: all}
}

// familyTitles says what the families of rules are about.
func familyTitles() map[string]string {
	return map[string]string{
		"HDR":    "transport header",
		"DDP":    "direct data placement",
		"CREDIT": "credits and flow control",
		"THRESH": "inline thresholds and message size",
		"ULB":    "upper-layer bindings of NFS",
		"INV":    "remote invalidation",
		"V2":     "RPC-over-RDMA version 2",
		"XCHAR":  "transport characteristics of version 2",
		"CM":     "connection setup and teardown",
		"TRANS":  "transport errors",
		"RPC":    "remote procedure calls",
		"SEC":    "memory exposure",
		"SYM":    "symptoms",
	}
}

// List prints a line for each rule, by family, with its cases below it.
func (x *Catalogue) List(list []*rules.Rule) error {
	t, titles := &x.t, familyTitles()
	family := ""
	for _, r := range list {
		if r.Family() != family {
			if family != "" {
				t.End()
			}
			family = r.Family()
			t.B = t.Style.Heading.Append(t.B, family)
			if title := titles[family]; title != "" {
				t.B = append(t.B, lines.Gap+title...)
			}
			t.End()
		}
		x.row("  ", r.ID, r.Severity, r.Title)
		for _, c := range r.Cases {
			x.row("  ", strings.Repeat(" ", len(r.ID))+c.Letter, c.Severity, "  "+c.Title)
		}
	}
	return t.Flush()
}

// row prints a rule or case: ID, severity, title, which may be set in.
func (x *Catalogue) row(indent, id string, s finding.Severity, title string) {
	t := &x.t
	t.B = append(t.B, indent...)
	t.Cell(lines.Column{Width: len("CREDIT-000a")}, id)
	at := len(t.B)
	t.B = t.Style.Of(s).Append(t.B, s.String())
	t.Spaces(len("warning") - (len(s.String())))
	t.B = append(t.B, lines.Gap...)
	under := words.Columns(indent) + len("CREDIT-000a") + len(lines.Gap) + words.Columns(lines.WithoutEscapes(t.B[at:]))
	in := len(title) - len(strings.TrimLeft(title, " "))
	for i, line := range lines.Wrap(title, t.Width()-under-in, t.Width()-under-in) {
		if i > 0 {
			t.Spaces(under)
		}
		t.Spaces(in)
		t.B = append(t.B, line...)
		t.End()
	}
}

// Explain prints all that there is to say of each of the rules.
func (x *Catalogue) Explain(list []*rules.Rule) error {
	for i, r := range list {
		if i > 0 {
			x.t.End()
		}
		x.explain(r)
	}
	return x.t.Flush()
}

func (x *Catalogue) explain(r *rules.Rule) {
	t := &x.t
	t.B = t.Style.Heading.Append(t.B, r.ID+lines.Gap+r.Title)
	t.End()
	p := lines.Paragraph{To: t}
	head := r.Severity.String()
	if r.Since != "" {
		head += ", since rdmacap " + r.Since
	}
	p.Write("", head)
	for _, part := range []struct{ label, text string }{
		{"Meaning", r.Meaning}, {"Why", r.Why}, {"Advice", r.Advice}, {"Reference", r.Reference}, {"Limits", r.Limits},
	} {
		if part.text != "" {
			t.End()
			p.Write(part.label, part.text)
		}
	}
	if len(r.Cases) > 0 {
		x.title("Cases")
		for _, c := range r.Cases {
			x.row("  ", r.ID+c.Letter, c.Severity, c.Title)
			if c.Advice != "" {
				under := lines.Paragraph{To: t, Prefix: strings.Repeat(" ", 24)}
				under.Write("", c.Advice)
			}
		}
	}
	x.related("What may explain it", r.Causes)
	x.related("What it may explain", x.explained(r))
	fires, silent := r.Samples()
	if x.Samples {
		x.samples("Fires on", fires)
		x.samples("Silent on", silent)
	} else if len(fires)+len(silent) > 0 {
		x.title("Captures as text")
		t.B = fmt.Appendf(t.B, "  it fires on %d, and is silent on %d: rdmacap rules --samples %s", len(fires), len(silent), r.ID)
		t.End()
	}
}

func (x *Catalogue) title(s string) {
	x.t.End()
	x.t.B = append(x.t.B, s...)
	x.t.End()
}

// related prints rules, or cases of them, with their titles.
func (x *Catalogue) related(title string, ids []string) {
	if len(ids) == 0 {
		return
	}
	x.title(title)
	for _, id := range ids {
		for _, r := range x.all {
			if r.ID == id {
				x.row("  ", id, r.Severity, r.Title)
			} else if c := r.Case(strings.TrimPrefix(id, r.ID)); c != nil && r.ID+c.Letter == id {
				x.row("  ", id, c.Severity, r.Title+": "+c.Title)
			}
		}
	}
}

// explained are the rules that name a rule, or a case of it, as a cause.
func (x *Catalogue) explained(r *rules.Rule) (ids []string) {
	for _, other := range x.all {
		if slices.ContainsFunc(other.Causes, func(id string) bool {
			return id == r.ID || r.Case(strings.TrimPrefix(id, r.ID)) != nil && strings.HasPrefix(id, r.ID)
		}) {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// samples prints captures as text.
func (x *Catalogue) samples(title string, list []rules.Sample) {
	if len(list) == 0 {
		return
	}
	x.title(title)
	for i, s := range list {
		if i > 0 {
			x.t.End()
		}
		p := lines.Paragraph{To: &x.t, Prefix: "  "}
		name := s.Name
		if s.Over != "" {
			name += " (" + string(s.Over) + ")"
		}
		p.Write("", name+":")
		for _, line := range s.Lines() {
			x.t.Spaces(4)
			x.t.B = append(x.t.B, line...)
			x.t.End()
		}
	}
}
