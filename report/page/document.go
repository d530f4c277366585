package page

import (
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// A Document is the words of a page.
type Document struct {
	Title         visible.Text
	Files         []visible.Text
	Made, Version visible.Text
	// Span says when the capture was made, and how much is in it.
	Span visible.Text
	// Verdict is what is wrong, which peer did it and since when, in a sentence or
	// two; Worst the severity of the worst finding, "" if there is none.
	Verdict []visible.Text
	Worst   string
	// Counts says how many findings there are, Calls which calls took longest or failed, as markup made it.
	Counts visible.Text
	Calls  visible.HTML
	// Rules are those with findings, the worst first.
	Rules []RuleCount
	// Findings and Connections are what markup made of them.
	Findings, Connections []visible.HTML
	// NoFindings and NoConnections stand where there are none.
	NoFindings, NoConnections visible.Text
	// LeftOut says what is not in the page, and Command how to see it.
	LeftOut []visible.Text
	Command visible.Text
	RPCs    int64
}

// A RuleCount is how many findings of a severity a rule has, or a case of it, and
// the number of the first, 0 if that has no room in the page.
type RuleCount struct {
	ID, Severity string
	Title        visible.Text
	Findings     int64
	First        int
}
