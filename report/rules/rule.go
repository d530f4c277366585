package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/document"
)

// A Rule is one entry of the catalogue: what its document says for a person, and the check.
type Rule struct {
	finding.Rule
	Check

	document *document.Document // nil of a rule that has none, as in tests
}

// A Check is the part of a rule that is code: what it looks at, and what it makes of that.
type Check struct {
	// Limitations are those that it asks, with what it makes of them.
	Limitations Limitations
	// Fields are the values of arguments and results that it reads, named as for
	// dissect.Bindings.Ask: bodies report no others.
	Fields []string
	// Speaks says on which connections it looks, and from when on.
	Speaks Protocol
	// Needs is the Knowledge that it builds on, which sees each event before it.
	Needs []Knowledge
	// On are the events that it looks at on a connection.
	On []Event
	// OnCapture are those that it looks at in the whole capture.
	OnCapture []CaptureEvent
}

// Texts are what the rules of a list say for a person.
func Texts(list []*Rule) []*finding.Rule {
	texts := make([]*finding.Rule, len(list))
	for i, r := range list {
		texts[i] = &r.Rule
	}
	return texts
}

// Fields are the values that the rules of a list read, for dissect.Bindings.Ask.
func Fields(list []*Rule) []string {
	var names []string
	for _, r := range list {
		names = append(names, r.Fields...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
