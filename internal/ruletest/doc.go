// Package ruletest plays the samples of rules and holds what the rules say against
// what the samples want: every finding that is wanted, in its frame and at its
// bytes; nothing else of the rule, and nothing else of severity error.
package ruletest
