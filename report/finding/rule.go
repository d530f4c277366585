package finding

import "strings"

// A Rule is what an entry of the catalogue says for a person. It feeds the findings, `rdmacap
// rules`, SARIF and the reference manual.
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
	// Limits says when the rule is silent although it might be broken, and when its findings
	// are only likely.
	Limits string
	// Cases are the lettered ones.
	Cases []Case
	// Causes are rules, "THRESH-010", or cases of them, "SYM-006b", whose findings
	// on the same connection explain this one, the likeliest first.
	Causes []string
	// Wide says that its findings are about the connection: they explain, and are
	// explained by, what is reported of other RPCs than the one that shows them.
	Wide bool
	// Replaced are rules that say the same better: a finding is not shown where one of theirs is about the same RPC.
	// Who asks for this one asks for them too.
	Replaced []string
	// Usual says that each connection of Linux peers has its notes: they say how these are.
	Usual bool
}

// A Case is a way to break a rule that has a letter of its own.
type Case struct {
	Letter   string
	Title    string
	Severity Severity
	// Advice stands in place of the rule's, if it is not "".
	Advice string
	// Usual is as of a Rule.
	Usual bool
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
