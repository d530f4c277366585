package html

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// byRule counts findings by rule, case and severity.
type byRule map[ruleKind]*ruleCount

// A ruleCount has the order of the piece in which the first finding stands.
type ruleCount struct {
	page.RuleCount
	first int64
}

// A ruleKind is what findings have in common that are counted together.
type ruleKind struct {
	rule     *finding.Rule
	letter   string
	severity finding.Severity
}

// add counts a finding that has that number in the page, and stands in the piece of that
// order.
func (x byRule) add(f *finding.Finding, number int, order int64) {
	kind := ruleKind{f.Rule, f.Letter, f.Severity}
	c := x[kind]
	if c == nil {
		c = &ruleCount{page.RuleCount{ID: f.ID(), Severity: f.Severity.String(), Title: visible.Text(words.FindingTitle(f)), First: number}, order}
		x[kind] = c
	}
	c.Findings++
	if number < c.First {
		c.First, c.first = number, order
	}
}

// list is the counts, the worst first, and of those the most frequent. Of the first
// findings only those that had room on the shelf are named.
func (x byRule) list(shelf *markup.Shelf) (list []page.RuleCount) {
	kinds := make([]ruleKind, 0, len(x))
	for k := range x {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b ruleKind) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(x[b].Findings, x[a].Findings), cmp.Compare(x[a].ID, x[b].ID))
	})
	for _, k := range kinds {
		c := x[k].RuleCount
		if len(shelf.LeftOut) > 0 && !shelf.Keeps(x[k].first) {
			c.First = 0
		}
		list = append(list, c)
	}
	return list
}
