package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/wanted"
)

// findingOptions are the flags about which findings are shown, and those about a part of what
// was captured.
type findingOptions struct {
	filter string
	place  placeOptions
	start  query.Start
}

// register gives a command the flags.
func (o *findingOptions) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.filter, "filter", "Y", "", "show findings that match `EXPR`, as in 'rpc.xid == 0xb82d105d' (docs/check.md)")
	o.place.register(cmd)
	complete := func(_ *cobra.Command, _ []string, written string) (list []cobra.Completion, d cobra.ShellCompDirective) {
		fields, err := filter.NewSet(wanted.Fields()...)
		if err == nil {
			for _, c := range fields.Completions(written) {
				list = append(list, cobra.CompletionWithDesc(c.Text, c.Doc))
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc("filter", complete)
}

// choose has the selection show what the flags ask for, and the input tell when it begins.
func (o *findingOptions) choose(s *finding.Selection) error {
	s.Connections = o.place.connections
	place, err := o.place.parse(&o.start)
	if err != nil {
		return err
	}
	if s.Asked, err = wanted.Compile(o.filter, place, &o.start); err != nil {
		return fmt.Errorf("--filter: %w", err)
	}
	return nil
}
