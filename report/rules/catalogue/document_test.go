package catalogue_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

var update = flag.Bool("update", false, "write docs/rules.md anew")

// TestDocument holds docs/rules.md against the catalogue that it is made from.
func TestDocument(t *testing.T) {
	const name = "../../../docs/rules.md"
	want := document(catalogue.All())
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/rules.md is not what the rules say: go test ./report/rules/catalogue -run Document -update")
	}
}

// document is the catalogue as Markdown.
func document(list []*rules.Rule) string {
	var b strings.Builder
	b.WriteString("# The rules\n\nWhat `rdmacap check` looks for. This page is made from the rules themselves; `rdmacap rules ID`\n" +
		"prints one. [check.md](check.md) explains how to read a finding.\n")
	family := ""
	for _, r := range list {
		if r.Family() != family {
			family = r.Family()
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | title |\n| --- | --- | --- |\n", family)
			for _, o := range list {
				if o.Family() == family {
					fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", o.ID, strings.ToLower(o.ID), severities(o), o.Title)
				}
			}
		}
		fmt.Fprintf(&b, "\n### %s\n", r.ID)
		paragraph(&b, "**%s** (%s; since %s; %s)", r.Title, severities(r), r.Since, r.Reference)
		paragraph(&b, "%s %s", r.Meaning, r.Why)
		paragraph(&b, "*What to do:* %s", r.Advice)
		if limits := r.Limits; limits != "" {
			paragraph(&b, "*Limits:* %s", limits)
		}
		if len(r.Cases) > 0 {
			b.WriteString("\n")
		}
		for _, c := range r.Cases {
			item := fmt.Sprintf("- **%s%s** (%s): %s", r.ID, c.Letter, c.Severity, c.Title)
			b.WriteString(strings.Join(lines.Wrap(item, width, width-2), "\n  ") + "\n")
		}
		if len(r.Causes) > 0 {
			paragraph(&b, "*May be explained by:* %s", strings.Join(r.Causes, ", "))
		}
	}
	return b.String()
}

// width is how many columns a line of a document has at most.
const width = 100

// paragraph writes one, wrapped, after an empty line.
func paragraph(b *strings.Builder, format string, a ...any) {
	b.WriteString("\n" + strings.Join(lines.Wrap(fmt.Sprintf(format, a...), width, width), "\n") + "\n")
}

// severities are those that findings of a rule can have.
func severities(r *rules.Rule) string {
	var words []string
	for _, s := range finding.Severities() {
		has := s == r.Severity
		for _, c := range r.Cases {
			has = has || c.Severity == s
		}
		if has {
			words = append(words, s.String())
		}
	}
	return strings.Join(words, ", ")
}
