package report

import (
	"strings"

	"github.com/rdmacap/rdmacap/report/rules"
)

// A Tally counts findings by severity, each once however often it was found.
type Tally struct{ Errors, Warnings, Notes int64 }

// of is the count of a severity.
func (t *Tally) of(s rules.Severity) *int64 {
	switch s {
	case rules.Error:
		return &t.Errors
	case rules.Warning:
		return &t.Warnings
	}
	return &t.Notes
}

// Add counts a finding.
func (t *Tally) Add(s rules.Severity) { *t.of(s)++ }

func (t *Tally) join(o Tally) {
	for _, s := range rules.Severities() {
		*t.of(s) += *o.of(s)
	}
}

// AtLeast reports whether any finding is as bad as that, or worse.
func (t Tally) AtLeast(least rules.Severity) bool {
	for _, s := range rules.Severities() {
		if s >= least && *t.of(s) > 0 {
			return true
		}
	}
	return false
}

// worst is the severity of the worst finding, 0 if there is none.
func (t Tally) worst() rules.Severity {
	for _, s := range rules.Severities() {
		if *t.of(s) > 0 {
			return s
		}
	}
	return 0
}

// String is "2 errors, 1 note", or "nothing wrong found".
func (t Tally) String() string {
	var parts []string
	for _, s := range rules.Severities() {
		if n := *t.of(s); n > 0 {
			parts = append(parts, string(appendCount(nil, n, s.String())))
		}
	}
	if parts == nil {
		return "nothing wrong found"
	}
	return strings.Join(parts, ", ")
}

// members appends the counts as members of a JSON object.
func (t *Tally) members(b *jsonBuffer) {
	for _, s := range rules.Severities() {
		b.int(s.String(), *t.of(s))
	}
}
