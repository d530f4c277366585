package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/textfile"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// ruleOptions are the flags of every command that runs the rules.
type ruleOptions struct {
	rules    string
	dir      string // of a user's own rules
	config   string
	severity string // "" where the command has no such flag
}

// registerSeverity gives a command --severity.
func (o *ruleOptions) registerSeverity(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.severity, "severity", "note", "show findings of this `SEVERITY` or worse: error, warning or note")
	completeWith(cmd, "severity", "error", "warning", "note")
}

// registerAll gives a command --all.
func registerAll(cmd *cobra.Command, all *bool) {
	cmd.Flags().BoolVar(all, "all", false, "also list notes that are normal with Linux peers, which are otherwise counted in one line")
}

// register gives a command the flags; list are the rules that there are.
func (o *ruleOptions) register(cmd *cobra.Command, list ruleList) {
	f := cmd.Flags()
	f.StringVar(&o.rules, "rules", "", "show only findings of the rules or families in `LIST` (DDP,CREDIT-002), or of all others (-SEC)")
	registerRulesDir(cmd, &o.dir)
	f.StringVar(&o.config, "config", "", "a TOML `FILE` with the limits of rules ('rdmacap rules --config' prints one)")
	complete := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return ruleNames(list()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	// The errors say that a flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc("rules", complete)
	_ = cmd.MarkFlagFilename("config", "toml")
}

// all are the rules that there are, and those of --rules-dir, which may name fields of the
// bindings in files.
func (o *ruleOptions) all(list ruleList, bindings []string) ([]*rules.Rule, error) {
	return withOwn(list(), o.dir, bindings)
}

// load reads what the flags name.
func (o *ruleOptions) load(list []*rules.Rule) (s finding.Selection, c rules.Config, err error) {
	if s, err = finding.Select(rules.Texts(list), o.rules); err != nil {
		return s, c, fmt.Errorf("--rules: %w", err)
	}
	if o.severity != "" {
		if s.Least, err = finding.ParseSeverity(o.severity); err != nil {
			return s, c, fmt.Errorf("--severity: %w", err)
		}
	}
	if o.config == "" {
		return s, rules.DefaultConfig(), nil
	}
	text, err := textfile.Read(o.config, rules.MaxConfig)
	if err != nil {
		return s, c, fmt.Errorf("--config: %w", err)
	}
	if c, err = rules.ParseConfig(o.config, text); err != nil {
		return s, c, fmt.Errorf("--config: %w", err)
	}
	return s, c, nil
}

// bindingsFor are those of NFS and of the files, which report what the rules read.
func bindingsFor(files []string, list []*rules.Rule) (*dissect.Bindings, error) {
	b, err := loadBindings(files)
	if err != nil {
		return nil, err
	}
	return b, b.AskKnown(rules.Fields(list)...)
}
