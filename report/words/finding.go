package words

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/report/finding"
)

// ScopeOf says what the verdict of all is about.
func ScopeOf(e *finding.Ending) string {
	all := string(AppendCount(nil, e.Connections, "connection"))
	s := ""
	switch {
	case e.Tally == finding.Tally{}:
		s = "on " + all
	case e.Guilty > 0:
		s = "on " + strconv.FormatInt(e.Guilty, 10) + " of " + all
	}
	if e.Shown.OfRules() {
		s += ", with the selected rules"
	}
	_, hidden := e.Counts()
	s += hidden
	if e.Gated > 0 {
		s += "; not everything could be checked on " + string(AppendCount(nil, e.Gated, "connection"))
	}
	return s
}

// FindingTitle is the rule's title, and that of the case.
func FindingTitle(f *finding.Finding) string {
	if c := f.Rule.Case(f.Letter); f.Letter != "" && c != nil {
		return f.Rule.Title + ": " + c.Title
	}
	return f.Rule.Title
}

// Sentence begins with a capital letter and ends with a full stop, so that a message
// reads as one; names of fields, which have underscores, stay as they are.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	if word, _, _ := strings.Cut(s, " "); s[0] >= 'a' && s[0] <= 'z' && !strings.ContainsAny(word, "_.") {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// NBSP is a space at which no line is broken; it is printed as any other.
const NBSP = "\u00a0"
