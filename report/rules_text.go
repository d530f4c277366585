package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/rules"
)

// RulesText writes the catalogue of rules for a person.
type RulesText struct {
	// Samples says that the captures that a rule is tested with are wanted too, as text.
	Samples bool

	t   *Text
	all []*rules.Rule
}

// NewRulesText returns a RulesText that writes to w; all are the rules that there
// are, whichever are shown.
func NewRulesText(w io.Writer, all []*rules.Rule, o Options) *RulesText {
	return &RulesText{t: NewText(w, o), all: all}
}

// familyTitles says what the families of rules are about.
func familyTitles() map[string]string {
	return map[string]string{
		"HDR":    "transport header",
		"DDP":    "direct data placement",
		"CREDIT": "credits and flow control",
		"THRESH": "inline thresholds and how messages travel",
		"ULB":    "upper-layer bindings of NFS",
		"INV":    "remote invalidation",
		"V2":     "RPC-over-RDMA version 2",
		"XCHAR":  "transport characteristics of version 2",
		"CM":     "set-up and end of connections",
		"TRANS":  "symptoms of the transport",
		"RPC":    "remote procedure calls",
		"SEC":    "exposure of memory",
	}
}

// List prints a line for each rule, by family, with its cases below it.
func (x *RulesText) List(list []*rules.Rule) error {
	t, titles := x.t, familyTitles()
	family := ""
	for _, r := range list {
		if r.Family() != family {
			if family != "" {
				t.endRow()
			}
			family = r.Family()
			t.b = t.style.heading.append(t.b, family)
			if title := titles[family]; title != "" {
				t.b = append(t.b, gap+title...)
			}
			t.endRow()
		}
		x.row("  ", r.ID, r.Severity, r.Title)
		for _, c := range r.Cases {
			x.row("  ", strings.Repeat(" ", len(r.ID))+c.Letter, c.Severity, "  "+c.Title)
		}
	}
	return t.Flush()
}

// row prints a rule or case: ID, severity, title, which may be set in.
func (x *RulesText) row(indent, id string, s rules.Severity, title string) {
	t := x.t
	t.b = append(t.b, indent...)
	t.cell(column{width: len("CREDIT-000a")}, id)
	at := len(t.b)
	t.b = severityInk(&t.style, s).append(t.b, s.String())
	t.spaces(len("warning") - (len(s.String())))
	t.b = append(t.b, gap...)
	under := columns(indent) + len("CREDIT-000a") + len(gap) + columns(withoutEscapes(t.b[at:]))
	in := len(title) - len(strings.TrimLeft(title, " "))
	for i, line := range wrap(title, pageWidth-under-in, pageWidth-under-in) {
		if i > 0 {
			t.spaces(under)
		}
		t.spaces(in)
		t.b = append(t.b, line...)
		t.endRow()
	}
}

// Explain prints all that there is to say of each of the rules.
func (x *RulesText) Explain(list []*rules.Rule) error {
	for i, r := range list {
		if i > 0 {
			x.t.endRow()
		}
		x.explain(r)
	}
	return x.t.Flush()
}

func (x *RulesText) explain(r *rules.Rule) {
	t := x.t
	t.b = t.style.heading.append(t.b, r.ID+gap+r.Title)
	t.endRow()
	p := paragraph{t: t}
	head := r.Severity.String()
	if r.Since != "" {
		head += ", since rdmacap " + r.Since
	}
	p.write("", head)
	for _, part := range []struct{ label, text string }{
		{"Meaning", r.Meaning}, {"Why", r.Why}, {"Advice", r.Advice}, {"Reference", r.Reference}, {"Limits", r.LimitsText()},
	} {
		if part.text != "" {
			t.endRow()
			p.write(part.label, part.text)
		}
	}
	if len(r.Cases) > 0 {
		x.title("Cases")
		for _, c := range r.Cases {
			x.row("  ", r.ID+c.Letter, c.Severity, c.Title)
			if c.Advice != "" {
				under := paragraph{t: t, prefix: strings.Repeat(" ", 24)}
				under.write("", c.Advice)
			}
		}
	}
	x.related("What may explain it", r.Causes)
	x.related("What it may explain", x.explained(r))
	if x.Samples {
		x.samples("Fires on", r.Fires)
		x.samples("Silent on", r.Silent)
	} else if len(r.Fires)+len(r.Silent) > 0 {
		x.title("Captures as text")
		t.b = fmt.Appendf(t.b, "  %d that it fires on, %d that it is silent on: rdmacap rules --samples %s", len(r.Fires), len(r.Silent), r.ID)
		t.endRow()
	}
}

func (x *RulesText) title(s string) {
	x.t.endRow()
	x.t.b = append(x.t.b, s...)
	x.t.endRow()
}

// related prints rules, or cases of them, with their titles.
func (x *RulesText) related(title string, ids []string) {
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
func (x *RulesText) explained(r *rules.Rule) (ids []string) {
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
func (x *RulesText) samples(title string, list []rules.Sample) {
	if len(list) == 0 {
		return
	}
	x.title(title)
	for i, s := range list {
		if i > 0 {
			x.t.endRow()
		}
		p := paragraph{t: x.t, prefix: "  "}
		name := s.Name
		if s.Over != "" {
			name += " (" + string(s.Over) + ")"
		}
		p.write("", name+":")
		for _, line := range s.Lines() {
			x.t.spaces(4)
			x.t.b = append(x.t.b, line...)
			x.t.endRow()
		}
	}
}
