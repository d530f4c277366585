package html

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// byRule counts findings by rule, case and severity.
type byRule map[ruleKind]*page.RuleCount

// A ruleKind is what findings have in common that are counted together.
type ruleKind struct {
	rule     *finding.Rule
	letter   string
	severity finding.Severity
}

func kindOfRule(f *finding.Finding) ruleKind { return ruleKind{f.Rule, f.Letter, f.Severity} }

// countFinding counts a finding.
func (x byRule) countFinding(f *finding.Finding) {
	kind := kindOfRule(f)
	c := x[kind]
	if c == nil {
		c = &page.RuleCount{ID: f.ID(), Severity: f.Severity.String(), Title: visible.Text(words.FindingTitle(f))}
		x[kind] = c
	}
	c.Findings++
}

// stands notes that a finding of a kind has a number in the page; those come in their order.
func (x byRule) stands(kind ruleKind, number int) {
	if c := x[kind]; c.First == 0 {
		c.First = number
	}
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
