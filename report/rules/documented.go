package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/document"
)

// Documented is a rule that ships: its document, and its check. A document that cannot be
// read is a fault of the program, which rulegen finds before there is one.
func Documented(file, text string, check Check) *Rule {
	d, err := document.Parse(file, text)
	if err != nil {
		panic("report/rules: " + err.Error()) // it is embedded
	}
	return Of(d, check)
}

// Of is the rule of a document that was read, and its check.
func Of(d *document.Document, check Check) *Rule {
	r := &Rule{Rule: finding.Rule{
		ID: d.ID, Title: d.Title, Severity: severity(d.Severity), Since: d.Since, Reference: d.Reference,
		Meaning: d.Meaning, Why: d.Why, Advice: d.Advice, Limits: limits(check.Limitations, d.Limits), Causes: d.Causes, Wide: d.Wide, Usual: d.Usual, Replaced: d.Replaced,
	}, Check: check, document: d}
	for _, c := range d.Cases {
		r.Cases = append(r.Cases, finding.Case{Letter: c.Letter, Title: c.Title, Severity: severity(c.Severity), Advice: c.Advice, Usual: c.Usual})
	}
	return r
}

// severity is that of a word which package document has looked at.
func severity(word string) finding.Severity {
	s, _ := finding.ParseSeverity(word)
	return s
}

// Samples are the captures that the rule is tried on: those that it finds something in, and
// others, one change away from them or from what is right, in which it does not. They are
// read when they are asked for.
func (r *Rule) Samples() (fires, silent []Sample) {
	if r.document == nil {
		return nil, nil
	}
	list, err := r.document.Samples()
	if err != nil {
		panic("report/rules: " + err.Error()) // whoever made the rule has read them before
	}
	for _, s := range list {
		sample := Sample{s.Name, Transport(s.Over), s.Scene}
		if s.Fires {
			fires = append(fires, sample)
		} else {
			silent = append(silent, sample)
		}
	}
	return fires, silent
}

// AllSamples are those of Samples together.
func (r *Rule) AllSamples() []Sample {
	return slices.Concat(r.Samples())
}
