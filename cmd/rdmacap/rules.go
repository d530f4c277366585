package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/explain"
	"github.com/rdmacap/rdmacap/report/rules"
)

// rulesOptions are the flags of rdmacap rules.
type rulesOptions struct {
	format  string
	color   string
	config  bool
	samples bool
	dir     string
}

func newRules(s streams, list ruleList) *cobra.Command {
	var o rulesOptions
	cmd := &cobra.Command{
		Use:   "rules [flags] [ID|FAMILY|WORD...]",
		Short: "List the rules of check, or explain one",
		Long: `List the rules of check by family. With IDs, explain these rules: what a
finding means, why it matters, what to do, when the rule is silent, which other
rules may explain it, and, with --samples, its test captures as text: those in
which it must report something and those in which it must not. With a family,
list its rules; with other words, list the rules whose text has all of them.`,
		Example: `  rdmacap rules
  rdmacap rules CREDIT-003
  rdmacap rules --samples CREDIT-003      # and its test captures
  rdmacap rules DDP                       # a family
  rdmacap rules inline threshold          # rules whose text has both words
  rdmacap rules --config > rdmacap.toml   # limits and their defaults
  rdmacap rules --rules-dir site          # and your own (docs/own-rules.md)
  rdmacap rules test site                 # test these with their samples`,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := withOwn(list(), o.dir, nil)
			if err != nil {
				return err
			}
			return runRules(c, s, &o, all, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return ruleNames(list()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text, json (one array) or ndjson (one object per line)")
	f.BoolVar(&o.samples, "samples", false, "with an ID: print as text the captures that the rule fires on and is silent on")
	f.BoolVar(&o.config, "config", false, "print a configuration file for check --config, with the defaults")
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	registerRulesDir(cmd, &o.dir)
	cmd.AddCommand(newRulesTest(s, list))
	completeWith(cmd, "format", "text", "json", "ndjson")
	completeWith(cmd, "color", "auto", "always", "never")
	return cmd
}

func runRules(c *cobra.Command, s streams, o *rulesOptions, all []*rules.Rule, words []string) error {
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return misuse(c, fmt.Errorf("--color: %w", err))
	}
	if o.config {
		if len(words) > 0 || o.format != "text" {
			return misuse(c, errors.New("--config takes no arguments and no --format"))
		}
		return written(rules.WriteConfig(s.out))
	}
	list, whole, err := rules.Find(all, words)
	if err != nil {
		return err
	}
	switch o.format {
	case "text":
		text := explain.New(s.out, all, color, columnsOf(s.out))
		text.Samples = o.samples
		if whole {
			return written(text.Explain(list))
		}
		return written(text.List(list))
	case "json", "ndjson":
		return written(record.WriteRules(s.out, o.format == "json", list))
	}
	return misuse(c, fmt.Errorf("--format: unknown format %q: use text, json or ndjson", o.format))
}
