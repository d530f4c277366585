package finding

import (
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// A Tally counts findings by severity, each once however often it was found.
type Tally struct{ Errors, Warnings, Notes int64 }

// Of is the count of a severity.
func (t *Tally) Of(s Severity) *int64 {
	switch s {
	case Error:
		return &t.Errors
	case Warning:
		return &t.Warnings
	}
	return &t.Notes
}

// Add counts a finding.
func (t *Tally) Add(s Severity) { *t.Of(s)++ }

func (t *Tally) join(o Tally) {
	for _, s := range Severities() {
		*t.Of(s) += *o.Of(s)
	}
}

// Total is how many there are, whatever their severity.
func (t Tally) Total() (n int64) {
	for _, s := range Severities() {
		n += *t.Of(s)
	}
	return n
}

// AtLeast reports whether any finding is as bad as that, or worse.
func (t Tally) AtLeast(least Severity) bool {
	for _, s := range Severities() {
		if s >= least && *t.Of(s) > 0 {
			return true
		}
	}
	return false
}

// Worst is the severity of the worst finding, 0 if there is none.
func (t Tally) Worst() Severity {
	for _, s := range Severities() {
		if *t.Of(s) > 0 {
			return s
		}
	}
	return 0
}

// String is "2 errors, 1 note", or "nothing wrong found".
func (t Tally) String() string {
	if text := t.counts(); text != "" {
		return text
	}
	return "nothing wrong found"
}

// Beside is String where others, less severe than least, may be hidden: "nothing at or above warning", and
// "; 4 notes hidden".
func (t Tally) Beside(others Tally, least Severity) (shown, hidden string) {
	if others == (Tally{}) {
		return t.String(), ""
	}
	if shown = t.counts(); shown == "" {
		shown = "nothing at or above " + least.String()
	}
	return shown, "; " + others.counts() + " hidden"
}

// counts is "2 errors, 1 note", "" if there are none.
func (t Tally) counts() string {
	var parts []string
	for _, s := range Severities() {
		if n := *t.Of(s); n > 0 {
			parts = append(parts, string(field.AppendCount(nil, n, s.String())))
		}
	}
	return strings.Join(parts, ", ")
}
