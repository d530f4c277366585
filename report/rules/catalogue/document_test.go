package catalogue_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
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
	b.WriteString("# The rules\n\nWhat `rdmacap check` looks for. This page is made from the rules themselves; `rdmacap rules ID` prints one.\n" +
		"[check.md](check.md) says how to read a finding.\n")
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
		fmt.Fprintf(&b, "\n### %s\n\n**%s** (%s; since %s; %s)\n\n%s %s\n\n*What to do:* %s\n", r.ID, r.Title, severities(r), r.Since, r.Reference, r.Meaning, r.Why, r.Advice)
		if limits := r.Limits; limits != "" {
			fmt.Fprintf(&b, "\n*Limits:* %s\n", limits)
		}
		if len(r.Cases) > 0 {
			b.WriteString("\n")
		}
		for _, c := range r.Cases {
			fmt.Fprintf(&b, "- **%s%s** (%s): %s\n", r.ID, c.Letter, c.Severity, c.Title)
		}
		if len(r.Causes) > 0 {
			fmt.Fprintf(&b, "\n*May be explained by:* %s\n", strings.Join(r.Causes, ", "))
		}
	}
	return b.String()
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
