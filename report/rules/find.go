package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Find finds what words ask for: rules by ID, also with the letter of a case
// or without leading zeros, then whole is true; or the rules of a family; or those
// whose text has all of the words. None is an error.
func Find(all []*Rule, words []string) (list []*Rule, whole bool, err error) {
	if len(words) == 0 {
		return all, false, nil
	}
	for _, w := range words {
		r := ruleNamed(all, w)
		if r == nil {
			list = nil
			break
		}
		list = append(list, r)
	}
	if list != nil {
		return list, true, nil
	}
	for _, r := range all {
		if len(words) == 1 && strings.EqualFold(words[0], r.Family()) {
			list = append(list, r)
		}
	}
	if list != nil {
		return list, false, nil
	}
	for _, r := range all {
		text := strings.ToLower(ruleText(r))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, strings.ToLower(w)) }) {
			list = append(list, r)
		}
	}
	if list == nil {
		return nil, false, noRule(all, strings.Join(words, " "))
	}
	return list, false, nil
}

// noRule says that nothing is called so, and what may have been meant.
func noRule(all []*Rule, word string) error {
	var names []string
	for _, r := range all {
		names = append(names, r.ID)
	}
	if like := Nearest(spelt(word), names); like != "" {
		return fmt.Errorf("there is no rule %q, and no rule has it in its text; did you mean %s?", word, like)
	}
	return fmt.Errorf("there is no rule %q, and no rule has it in its text", word)
}

// ruleNamed finds a rule by its ID, or that of one of its cases.
func ruleNamed(all []*Rule, name string) *Rule {
	name = spelt(name)
	for _, r := range all {
		if letter, ok := strings.CutPrefix(name, r.ID); ok && (letter == "" || r.Case(strings.ToLower(letter)) != nil) {
			return r
		}
	}
	return nil
}

// spelt is an ID as the catalogue spells them, its letter aside: "DDP-005" for
// "ddp-5" and "ddp5".
func spelt(name string) string {
	name = strings.ToUpper(name)
	end := strings.TrimRight(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	letter := name[len(end):]
	family := strings.TrimRight(end, "0123456789")
	number := end[len(family):]
	if number == "" || len(number) > 3 {
		return name
	}
	return strings.TrimSuffix(family, "-") + "-" + strings.Repeat("0", 3-len(number)) + number + letter
}

// ruleText is all that stands in a rule for a person to read.
func ruleText(r *Rule) string {
	parts := []string{r.ID, r.Title, r.Meaning, r.Why, r.Advice, r.Reference, r.Limits}
	for _, c := range r.Cases {
		parts = append(parts, r.ID+c.Letter, c.Title, c.Advice)
	}
	return strings.Join(parts, "\n")
}
