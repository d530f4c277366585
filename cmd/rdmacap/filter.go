package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/listing"
)

// compileFilter compiles the expression of --filter about rows of a level, and
// has the bindings report the fields that it names. Without an expression there
// is no filter.
func compileFilter(expr string, l listing.Level, b *dissect.Bindings) (listing.Filter, error) {
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

// compileColumns makes the columns of --columns for rows of a level, and has the bindings
// report the fields that it names. Without a list rows have their own columns.
func compileColumns(list string, l listing.Level, b *dissect.Bindings) (listing.Columns, error) {
	if list == "" {
		return nil, nil
	}
	sets, err := query.NewSets(b.Own()...)
	if err != nil {
		return nil, err
	}
	c, err := sets.Columns(queryLevel(l), list)
	if err != nil {
		return nil, fmt.Errorf("--columns: %w", err)
	}
	return queryColumns{c}, b.Ask(c.Keys()...)
}

// queryColumns are columns of a query as those of rows.
type queryColumns struct{ *query.Columns }

// Another is that of listing.Columns.
func (c queryColumns) Another() listing.Columns {
	if c.Asks("connection") {
		return nil
	}
	return queryColumns{c.Columns.Another()}
}

// Headings is that of listing.Columns.
func (c queryColumns) Headings() (list []listing.Heading) {
	for _, f := range c.Fields() {
		list = append(list, listing.Heading{Title: f.Heading(), Width: f.Width(), Right: f.IsNumber()})
	}
	return list
}

// A queryFilter is a query as the filter of rows.
type queryFilter struct{ *query.Query }

// Another is that of listing.Filter.
func (f queryFilter) Another() listing.Filter {
	if f.Asks("connection") {
		return nil
	}
	return queryFilter{f.Query.Another()}
}

// queryLevel is what rows of a level are to a filter.
func queryLevel(l listing.Level) query.Level {
	switch l {
	case listing.LevelFrame:
		return query.Frames
	case listing.LevelMessage:
		return query.Messages
	}
	return query.RPCs
}

// completeFilter offers the ways to go on with an expression to the shell: the
// fields of the level that was given, operators, names of values.
func completeFilter(cmd *cobra.Command, o *readOptions) {
	completeFields(cmd, "filter", o, func(fields *filter.Set, expr string) (list []cobra.Completion) {
		for _, c := range fields.Completions(expr) {
			list = append(list, cobra.CompletionWithDesc(c.Text, c.Doc))
		}
		return list
	})
}

// completeColumns offers the fields of the level, behind those that the list has.
func completeColumns(cmd *cobra.Command, o *readOptions) {
	completeFields(cmd, "columns", o, func(fields *filter.Set, written string) (list []cobra.Completion) {
		before := written[:strings.LastIndexByte(written, ',')+1]
		for _, c := range fields.Names(written[len(before):]) {
			list = append(list, cobra.CompletionWithDesc(before+c.Text, c.Doc))
		}
		return list
	})
}

// completeFields completes a flag by the fields of the level that was given.
func completeFields(cmd *cobra.Command, flag string, o *readOptions, complete func(*filter.Set, string) []cobra.Completion) {
	f := func(_ *cobra.Command, _ []string, written string) (list []cobra.Completion, d cobra.ShellCompDirective) {
		d = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		level, err := listing.ParseLevel(o.level)
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
		return complete(sets.Set(queryLevel(level)), written), d
	}
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, f)
}
