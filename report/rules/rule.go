package rules

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/rules/document"
)

// A Rule is one entry of the catalogue: what its document says for a person, and the check.
// Its text feeds the findings, `rdmacap rules`, SARIF and the reference manual.
type Rule struct {
	// ID is its name, "HDR-005"; Title says in a few words what is wrong.
	ID, Title string
	// Severity is that of findings without a letter.
	Severity Severity
	// Since is the version of rdmacap that had it first.
	Since string
	// Meaning says what the finding means, Why why that matters, Advice what
	// to do about it; each is one paragraph, in whole sentences.
	Meaning, Why, Advice string
	// Reference names document and section: "RFC 8166, section 4.2.4".
	Reference string
	// Limits says what else limits it: LimitsText puts it behind what follows from the
	// gates.
	Limits string
	// Cases are the lettered ones.
	Cases []Case
	// Causes are rules, "THRESH-010", or cases of them, "SYM-006b", whose findings
	// on the same connection explain this one, the likeliest first.
	Causes []string
	// Wide says that its findings are about the connection: they explain, and are
	// explained by, what is said of other RPCs than the one that shows them.
	Wide bool
	Check

	document *document.Document // nil of a rule that has none, as in tests
}

// A Check is the part of a rule that is code: what it looks at, and what it makes of that.
type Check struct {
	// Gates are those that it asks, with what it makes of them.
	Gates Gates
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

// A Case is a way to break a rule that has a letter of its own.
type Case struct {
	Letter   string
	Title    string
	Severity Severity
	// Advice stands in place of the rule's, if it is not "".
	Advice string
}

// Family is the part of the ID before the number: "HDR".
func (r *Rule) Family() string {
	family, _, _ := strings.Cut(r.ID, "-")
	return family
}

// Case is the case with a letter, nil if the rule has none such.
func (r *Rule) Case(letter string) *Case {
	for i := range r.Cases {
		if r.Cases[i].Letter == letter {
			return &r.Cases[i]
		}
	}
	return nil
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
