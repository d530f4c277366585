package ruletest

import (
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
)

// noteUnasked returns what makes a test of rules fail, once for each field that they read and that no
// Check names in its Fields: bodies do not report it, so that the rule finds nothing without any error.
func noteUnasked(tb testing.TB, list []*rules.Rule) func(field string) {
	who := "the rules in this test"
	if len(list) == 1 {
		who = list[0].ID
	}
	noted := make(map[string]bool)
	return func(field string) {
		if !noted[field] {
			noted[field] = true
			tb.Errorf("%s: %s is read, but not named in Fields of the check, so it is never found", who, field)
		}
	}
}
