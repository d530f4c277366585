package rpcrow

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/columns"
)

// pageFields are the fields of the filter language that rows of the page can answer, in
// a column of their own or in one that they have anyway.
func pageFields(sets *query.Sets, files int) (list []query.Field) {
	for _, f := range sets.Fields(query.RPCs) {
		switch {
		case f.Cell.Form == query.NoCell:
			continue
		case f.Name == "frame.file" && files < 2:
			f.Cell = query.Cell{Form: query.Number, Column: "file"} // which is 0
		case f.Cell.Column == "":
			f.Cell.Column = f.Name
		}
		list = append(list, f)
	}
	return list
}

// cellWords are what the page calls the forms of cells.
var cellWords = [...]string{
	query.Name: "name", query.Set: "set", query.List: "list", query.Runs: "runs", query.TextList: "text", query.Hash: "hash",
}

// A setColumn is a column of sets, and how an RPC fills it.
type setColumn struct {
	name   string
	has    func(r *dissect.RPC) bool
	values func(r *dissect.RPC, to *filter.Numbers)
}

// Columns are what rows have beside what every row has: fields of the filter language, as sets and
// as lists.
type Columns struct {
	// Fields are what the page knows of the fields that its rows answer, Elsewhere those that
	// they do not.
	Fields    []page.Field
	Elsewhere []page.Elsewhere

	from  *query.Sets
	of    []query.Field
	sets  []setColumn
	lists *listColumns
}

// NewColumns returns the columns for a number of captures: none without fields.
func NewColumns(sets *query.Sets, files int) *Columns {
	c := &Columns{from: sets, lists: new(listColumns)}
	if sets == nil {
		return c
	}
	c.of = pageFields(sets, files)
	var here []string
	for i := range c.of {
		f := &c.of[i]
		here = append(here, f.Name)
		d := page.Field{
			Name: f.Name, Kind: f.Kind.Key(), Doc: f.Doc, Title: f.Title, Column: f.Cell.Column, Cell: cellWords[f.Cell.Form],
			None: f.Cell.None, HasNone: f.Cell.HasNone,
		}
		if f.Kind == filter.Enum {
			for name, value := range f.Names {
				d.Names = append(d.Names, page.NamedValue{Name: name, Value: value})
			}
		}
		if f.Cell.Form == query.Set {
			c.sets = append(c.sets, setColumn{f.Cell.Column, f.Cell.Rare, sets.Numbers(f.Name)})
		}
		c.Fields = append(c.Fields, d)
	}
	c.lists = newListColumns(sets, c.of)
	for _, of := range [...]struct {
		level query.Level
		flag  string
	}{{query.RPCs, ""}, {query.Messages, "message"}, {query.Frames, "frame"}} {
		all := sets.Set(of.level).Fields()
		if names := elsewhere(all, here); names != nil {
			c.Elsewhere = append(c.Elsewhere, page.Elsewhere{Level: of.flag, Names: names})
		}
		for _, f := range all {
			here = append(here, f.Name)
		}
	}
	return c
}

// Sets are the names of the columns of sets.
func (c *Columns) Sets() (names []string) {
	for _, x := range c.sets {
		names = append(names, x.name)
	}
	return names
}

// Lists are the columns of lists.
func (c *Columns) Lists() []columns.List { return c.lists.columns }

// Keys are the fields of texts that the columns are of.
func (c *Columns) Keys() []string { return c.lists.keys() }

// Numbered puts the numbers that the page gave to texts in the place of those that they have in a
// Store, where the first of the row's is number from.
func (c *Columns) Numbered(lists [][]uint64, from int, numbers []uint64) {
	c.lists.numbered(lists, from, numbers)
}

// elsewhere are the fields that are not here, those whose first word none here has by
// that word alone.
func elsewhere(all []filter.Field, here []string) (list []string) {
	first := func(name string) string {
		word, _, _ := strings.Cut(name, ".")
		return word + "."
	}
	words := make(map[string]bool)
	names := make(map[string]bool)
	for _, name := range here {
		words[first(name)], names[name] = true, true
	}
	seen := make(map[string]bool)
	for _, f := range all {
		name := f.Name
		if names[name] {
			continue
		}
		if !words[first(name)] {
			name = first(name)
		}
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}
