// Package timed knows which findings depend on when frames came: where the same traffic is
// captured at two places, or played again, tests leave them out.
package timed

import (
	"regexp"
	"sync"
)

var rules = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(RPC-007|SYM-(00[1-79]|01[01])|TRANS-002c|CM-010b)`)
})

// Rule reports whether findings of the rule with an identifier, such as SYM-011b, depend on
// when frames came.
func Rule(id string) bool { return rules().MatchString(id) }
