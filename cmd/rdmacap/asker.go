package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
)

// An asker compiles what a command line asks of rows, and has the bindings report the fields that
// it names.
type asker struct {
	bindings *dissect.Bindings
	made     *query.Sets // nil until something is asked
	xids     []uint32    // that a filter of frames names
}

// sets are the fields of rows.
func (a *asker) sets() (s *query.Sets, err error) {
	if a.made == nil {
		a.made, err = query.NewSets(a.bindings.Own()...)
	}
	return a.made, err
}

// starts is told when the captures begin.
func (a *asker) starts(ns int64) {
	if a.made != nil {
		a.made.Start.Set(ns)
	}
}

// filter compiles the expression of --filter about rows of a level, and the flags about a part of
// what was captured. Without any of them there is no filter.
func (a *asker) filter(expr string, l listing.Level, o *placeOptions) (listing.Filter, error) {
	if expr == "" && !o.given() {
		return nil, nil
	}
	sets, err := a.sets()
	if err != nil {
		return nil, err
	}
	place, err := o.parse(sets.Start)
	if err != nil {
		return nil, err
	}
	var f listing.Filter
	if expr != "" {
		q, err := sets.Compile(queryLevel(l), expr)
		if err != nil {
			return nil, fmt.Errorf("--filter: %w", err)
		}
		if err := a.bindings.Ask(q.Keys()...); err != nil {
			return nil, err
		}
		f, a.xids = queryFilter{q}, q.XIDs()
	}
	if place != nil {
		f = placeFilter{place, f}
	}
	return f, nil
}

// columns has rows show the columns of --columns, their own or fields. Without a list rows have
// their own columns. In rows for programs what is the same as a field is written as that.
func (a *asker) columns(list string, o *listing.Options) error {
	names := strings.Split(list, ",")
	if list == "" {
		if o.Separator == 0 {
			return nil
		}
		names = rows.ForPrograms(o.Level, o.Files)
	}
	own := rows.Own(o.Level)
	var fields []string
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		at := slices.IndexFunc(own, func(c listing.Own) bool { return c.Name == name })
		field := name
		if at >= 0 && !own[at].AsField(o.Separator != 0) {
			field = ""
		} else if at >= 0 {
			field = own[at].Field
		}
		o.Show = append(o.Show, listing.Shown{Name: name, Own: field == "" && at >= 0})
		if field != "" || at < 0 {
			fields = append(fields, field)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	sets, err := a.sets()
	if err != nil {
		return err
	}
	c, err := sets.Columns(queryLevel(o.Level), strings.Join(fields, ","))
	if err != nil {
		return fmt.Errorf("--columns: %w", noColumn(err, own))
	}
	c.Plain = o.Separator != 0
	o.Columns = queryColumns{c}
	return a.bindings.Ask(c.Keys()...)
}

// order has rows sorted by the column or field of --sort, the greatest first, or with "-"
// before it the least.
func (a *asker) order(name string, o *listing.Options) error {
	if name == "" {
		return nil
	}
	field, least := strings.CutPrefix(strings.ToLower(name), "-")
	own := rows.Own(o.Level)
	if at := slices.IndexFunc(own, func(c listing.Own) bool { return c.Name == field }); at >= 0 {
		if own[at].Field == "" {
			return fmt.Errorf("--sort: rows cannot be sorted by %s, which is formatted text: name a field, as in --sort rpc.latency; --columns help lists all", field)
		}
		field = own[at].Field
	}
	sets, err := a.sets()
	if err != nil {
		return err
	}
	by, err := sets.Order(queryLevel(o.Level), field)
	if err != nil {
		return fmt.Errorf("--sort: %w", noColumn(err, own))
	}
	o.Order = queryOrder{by, least}
	return a.bindings.Ask(by.Keys()...)
}
