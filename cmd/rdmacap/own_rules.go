package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/own"
	"github.com/rdmacap/rdmacap/report/rules/own/trial"
)

// registerRulesDir gives a command --rules-dir.
func registerRulesDir(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "rules-dir", "", "also use your own rules: the files *.rule in `DIR` (docs/own-rules.md)")
	// The error says that a flag does not exist, which a test would show.
	_ = cmd.MarkFlagDirname("rules-dir")
}

// withOwn are rules, and those that a user wrote in a folder, if one is named. These may name
// fields of the bindings in files.
func withOwn(list []*rules.Rule, dir string, bindings []string) ([]*rules.Rule, error) {
	if dir == "" {
		return list, nil
	}
	written, err := ownRules(list, dir, bindings)
	for _, r := range written {
		list = append(list, r.Rule)
	}
	return list, err
}

// ownRules are those that a user wrote in a folder.
func ownRules(list []*rules.Rule, dir string, bindings []string) ([]own.Rule, error) {
	b, err := loadBindings(bindings)
	if err != nil {
		return nil, err
	}
	sets, err := query.NewSets(b.Own()...)
	if err != nil {
		return nil, err
	}
	return own.Load(dir, list, sets)
}

func newRulesTest(s streams, list ruleList) *cobra.Command {
	return &cobra.Command{
		Use:   "test DIR",
		Short: "Test your own rules with their samples",
		Long: `Test the rules in the *.rule files of a directory with their samples. A sample
is a capture as text; it is played over RoCE and over iWARP, and says what the
rule must find in it.

docs/own-rules.md explains how to write rules and samples.

Exit status: 0 if the rules find what the samples say and nothing else; 1 if
not; 2 if a rule could not be read.`,
		Example: `  rdmacap rules test site
  rdmacap check --rules-dir site trace.pcap   # use them`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return runRulesTest(s, list(), args[0]) },
	}
}

func runRulesTest(s streams, list []*rules.Rule, dir string) error {
	written, err := ownRules(list, dir, nil)
	if err != nil {
		return err
	}
	failed := false
	for _, r := range written {
		played, faults := trial.Rule(r)
		for _, err := range faults {
			if _, err := fmt.Fprintln(s.out, shown(err)); err != nil {
				return writeError(err)
			}
		}
		word := "ok"
		if len(faults) > 0 {
			failed, word = true, "FAILED"
		}
		if _, err := fmt.Fprintf(s.out, "%s  %s: %d samples, played %d times\n", word, r.ID, len(r.Samples), played); err != nil {
			return writeError(err)
		}
	}
	if failed {
		return &statusError{exitFindings}
	}
	return nil
}
