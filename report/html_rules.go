package report

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

// byRule counts findings by rule, case and severity.
type byRule map[ruleKind]*page.RuleCount

// A ruleKind is what findings have in common that are counted together.
type ruleKind struct {
	rule     *rules.Rule
	letter   string
	severity rules.Severity
}

// add counts a finding that has that number in the page.
func (x byRule) add(f *rules.Finding, number int) {
	kind := ruleKind{f.Rule, f.Letter, f.Severity}
	c := x[kind]
	if c == nil {
		c = &page.RuleCount{ID: f.ID(), Severity: f.Severity.String(), Title: page.Text(findingTitle(f)), First: number}
		x[kind] = c
	}
	c.Findings++
	c.First = min(c.First, number)
}

// list is the counts, the worst first, and of those the most frequent.
func (x byRule) list() (list []page.RuleCount) {
	kinds := make([]ruleKind, 0, len(x))
	for k := range x {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b ruleKind) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(x[b].Findings, x[a].Findings), cmp.Compare(x[a].ID, x[b].ID))
	})
	for _, k := range kinds {
		list = append(list, *x[k])
	}
	return list
}
