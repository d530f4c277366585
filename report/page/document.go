package page

import "html/template"

// A Document is the words of a page.
type Document struct {
	Title         Text
	Files         []Text
	Made, Version Text
	// Span says when the capture was made, and how much is in it.
	Span Text
	// Verdict is what is wrong, which peer did it and since when, in a sentence or
	// two; Worst the severity of the worst finding, "" if there is none.
	Verdict []Text
	Worst   string
	// Counts are the findings by severity.
	Counts []Count
	// Rules are those with findings, the worst first.
	Rules []RuleCount
	// Findings and Connections are what Finding.HTML and Connection.HTML made.
	Findings, Connections []template.HTML
	// NoFindings and NoConnections stand where there are none.
	NoFindings, NoConnections Text
	// LeftOut says what is not in the page, and Command how to see it.
	LeftOut []Text
	Command Text
	RPCs    int64
}

// A Count is how many findings of a severity there are, and on how many connections.
type Count struct {
	Severity string
	Findings int64
}

// A RuleCount is how many findings of a severity a rule has, or a case of it, and
// the number of the first, 0 if that has no room in the page.
type RuleCount struct {
	ID, Severity string
	Title        Text
	Findings     int64
	First        int
}

// A Finding is one of the findings of a page, with those that it explains.
type Finding struct {
	// Number names it in links.
	Number int
	// ID is the rule's with the letter, Severity a word.
	ID, Severity string
	Title        Text
	Message      Text
	Where        []Part
	Values       []Value
	Octets       Text
	Doubt        Text
	Repeated     []Part
	Consequences [][]Part
	Meaning, Why Text
	Advice       Text
	Reference    Text
	// Evidence are the numbers of its Items.
	Evidence []int
	Effects  []*Finding
	// Effect says that another explains it.
	Effect bool
}

// Sign is a severity as a sign, for who cannot tell colours apart.
func Sign(severity string) string {
	switch severity {
	case "error":
		return "✖"
	case "warning":
		return "▲"
	case "note":
		return "●"
	}
	return "✔"
}

// A Value is one that was observed, and what was expected or "".
type Value struct{ Name, Observed, Expected Text }

// A Part is a piece of a line, with what it links to in the page: "frame-12". It is
// no link if that is "".
type Part struct {
	Text Text
	Link string
}

// A Connection is one of the connections of a page.
type Connection struct {
	Number  int
	Title   Text
	Verdict Text
	Worst   string
	Facts   []Fact
	// Ends is the private data of both ends and what follows from it; Heads the
	// names of its columns.
	Ends       *Table
	Operations *Table
	Parts      *Table
	// Unchecked is what could not be checked, and why.
	Unchecked []Text
	// Charts says that there is a Series of it.
	Charts bool
}

// A Fact is a line of a list of names and values.
type Fact struct {
	Name  Text
	Value Text
}
