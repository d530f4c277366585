package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/report/rules"
)

// A ruleList makes the rules, when a command needs them.
type ruleList func() []*rules.Rule

// ruleNames are the families, and the rules with what they are about.
func ruleNames(list []*rules.Rule) (names []cobra.Completion) {
	for _, r := range list {
		if !slices.Contains(names, r.Family()) {
			names = append(names, r.Family())
		}
	}
	for _, r := range list {
		names = append(names, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return names
}
