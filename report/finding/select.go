package finding

import (
	"fmt"
	"strings"
)

// A Selection are the findings that somebody wants to see: of which rules, and how severe.
// All rules still run, since some build on what others find.
type Selection struct {
	only, without map[string]bool // families, IDs, or IDs with the letter of a case
	// Least is the lowest severity that is shown; 0 for all.
	Least Severity
	// Asked says of those which were asked for besides, nil for all. They are shown with what
	// explains them, and the verdict is about all. It is asked when a connection is over, on one
	// goroutine.
	Asked func(f *Finding) bool
	// Connections are the numbers of those that were asked for, none if all were: Asked chooses by
	// them already, and here they say which of them there are not.
	Connections []int
}

// OfRules reports whether only some rules were asked for.
func (s Selection) OfRules() bool { return len(s.only)+len(s.without) > 0 }

// Select reads a list such as "DDP,CREDIT-002" (only these families and rules) or
// "-SEC,-DDP-010" (all but these). Both may stand together. A name that none of the
// rules has is an error.
func Select(list []*Rule, text string) (s Selection, err error) {
	known, replaced := make(map[string]bool), make(map[string][]string)
	for _, r := range list {
		replaced[r.ID] = r.Replaced
		known[r.Family()], known[r.ID] = true, true
		for _, c := range r.Cases {
			known[r.ID+c.Letter] = true
		}
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		name, out := strings.CutPrefix(word, "-")
		name = normal(name)
		if !known[name] {
			return s, fmt.Errorf("there is no rule or family %q (see 'rdmacap rules')", name)
		}
		set := &s.only
		if out {
			set = &s.without
		}
		if *set == nil {
			*set = make(map[string]bool)
		}
		(*set)[name] = true
		if !out {
			for _, better := range replaced[name] {
				(*set)[better] = true
			}
		}
	}
	return s, nil
}

// normal spells a name as the catalogue does: "ddp-005B" is "DDP-005b".
func normal(name string) string {
	name = strings.ToUpper(name)
	if n := len(name); n > 0 && strings.Contains(name, "-") && name[n-1] >= 'A' {
		name = name[:n-1] + strings.ToLower(name[n-1:])
	}
	return name
}

// Has reports whether a finding is wanted.
func (s Selection) Has(f *Finding) bool {
	return f.Severity >= s.Least && s.asks(f)
}

// Hides reports whether a finding is not wanted only since it is not severe enough.
func (s Selection) Hides(f *Finding) bool { return f.Severity < s.Least && s.asks(f) }

// asks reports whether a finding is of a rule that was asked for.
func (s Selection) asks(f *Finding) bool {
	names := [...]string{f.Rule.Family(), f.Rule.ID, f.ID()}
	in := len(s.only) == 0
	for _, n := range names {
		if s.without[n] {
			return false
		}
		in = in || s.only[n]
	}
	return in
}
