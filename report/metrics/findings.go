package metrics

import (
	"github.com/rdmacap/rdmacap/report/finding"
)

// findings counts findings by rule and severity.
type findings struct {
	known map[string]int // by ID, with the letter of a case
	list  []found
	// counted are those of the whole capture, and of connections that are over.
	counted countedFindings
}

// found are those of one ID.
type found struct {
	id string
	// expected is the severity that it has unless the capture lacks something, 0 if it
	// is not shown.
	expected finding.Severity
	counts   [4]uint64 // by severity
}

// expect lists what rules may find.
func (x *findings) expect(list []*finding.Rule, s finding.Selection) {
	x.known = make(map[string]int)
	for _, r := range list {
		x.row(&finding.Finding{Rule: r, Severity: r.Severity}, s)
		for _, c := range r.Cases {
			x.row(&finding.Finding{Rule: r, Letter: c.Letter, Severity: c.Severity}, s)
		}
	}
	x.list = append(x.list, found{id: other})
}

// row makes the row of findings like one.
func (x *findings) row(f *finding.Finding, s finding.Selection) {
	row := found{id: f.ID()}
	if s.Has(f) {
		row.expected = f.Severity
	}
	x.known[row.id] = len(x.list)
	x.list = append(x.list, row)
}

// count counts a finding.
func (x *findings) count(f *finding.Finding) {
	i, ok := x.known[f.ID()]
	if !ok {
		i = len(x.list) - 1
	}
	x.list[i].counts[f.Severity%4]++
}

// countedFindings are findings that were counted: one is reported again if it becomes certain. They
// are never looked into.
type countedFindings map[*finding.Finding]struct{}

// maxCounted bounds the findings that are remembered, of a connection or the rest. One that
// is not and becomes certain counts twice.
const maxCounted = 4096

// first reports whether a finding was not told of before.
func (t *countedFindings) first(f *finding.Finding) bool {
	if _, again := (*t)[f]; again {
		return false
	}
	if *t == nil {
		*t = make(countedFindings)
	}
	if len(*t) < maxCounted {
		(*t)[f] = struct{}{}
	}
	return true
}
