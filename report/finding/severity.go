package finding

import (
	"fmt"
)

// A Severity says how bad a finding is.
type Severity uint8

const (
	Note    Severity = iota + 1 // performance, ambiguity, information
	Warning                     // a SHOULD is broken, or there is a real hazard
	Error                       // a MUST is broken, XDR is not legal, memory is not safe
)

// Severities are all of them, the worst first.
func Severities() []Severity {
	return []Severity{Error, Warning, Note}
}

// ParseSeverity reads a severity by its word.
func ParseSeverity(word string) (Severity, error) {
	for _, s := range Severities() {
		if s.String() == word {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: use error, warning or note", word)
}

// String is the word of the JSON contract.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("severity %d", uint8(s))
}
