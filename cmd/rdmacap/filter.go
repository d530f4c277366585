package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report"
)

// compileFilter compiles the expression of --filter about rows of a level, and
// has the bindings report the fields that it names. Without an expression there
// is no filter.
func compileFilter(expr string, l report.Level, b *dissect.Bindings) (report.Filter, error) {
	if expr == "" {
		return nil, nil
	}
	sets, err := query.NewSets(b.Own()...)
	if err != nil {
		return nil, err
	}
	q, err := sets.Compile(queryLevel(l), expr)
	if err != nil {
		return nil, fmt.Errorf("--filter: %w", err)
	}
	return queryFilter{q}, b.Ask(q.Keys()...)
}

// A queryFilter is a query as the filter of rows.
type queryFilter struct{ *query.Query }

// Another is that of report.Filter.
func (f queryFilter) Another() report.Filter {
	if f.Asks("connection") {
		return nil
	}
	return queryFilter{f.Query.Another()}
}

// queryLevel is what rows of a level are to a filter.
func queryLevel(l report.Level) query.Level {
	switch l {
	case report.LevelFrame:
		return query.Frames
	case report.LevelMessage:
		return query.Messages
	}
	return query.RPCs
}

// completeFilter offers the ways to go on with an expression to the shell: the
// fields of the level that was given, operators, names of values.
func completeFilter(cmd *cobra.Command, o *readOptions) {
	complete := func(_ *cobra.Command, _ []string, expr string) (list []cobra.Completion, d cobra.ShellCompDirective) {
		d = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		level, err := report.ParseLevel(o.level)
		if err != nil {
			return nil, d
		}
		b, err := loadBindings(o.bindings)
		if err != nil {
			return nil, d
		}
		sets, err := query.NewSets(b.Own()...)
		if err != nil {
			return nil, d
		}
		for _, c := range sets.Set(queryLevel(level)).Completions(expr) {
			list = append(list, cobra.CompletionWithDesc(c.Text, c.Doc))
		}
		return list, d
	}
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc("filter", complete)
}
