package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
)

// A queryOrder is an order of a query as that of rows.
type queryOrder struct {
	*query.Order
	least bool
}

// Least is that of listing.Order.
func (o queryOrder) Least() bool { return o.least }

// Key is that of listing.Order.
func (o queryOrder) Key() (k listing.Key, has bool) {
	k.Number, k.Text, has = o.Order.Key()
	return k, has
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

// completeColumns offers the fields of the level, after those that the list has.
func completeColumns(cmd *cobra.Command, o *readOptions) {
	completeFields(cmd, "columns", o, func(fields *filter.Set, written string) (list []cobra.Completion) {
		before := written[:strings.LastIndexByte(written, ',')+1]
		if l, err := listing.ParseLevel(o.level); err == nil {
			for _, c := range rows.Own(l) {
				list = append(list, cobra.CompletionWithDesc(before+c.Name, c.Doc))
			}
		}
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
