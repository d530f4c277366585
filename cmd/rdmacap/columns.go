package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/words"
)

// helpNeedsNoCapture has a command take --columns help without a capture.
func helpNeedsNoCapture(cmd *cobra.Command, columns *string) {
	args := cmd.Args
	cmd.Args = func(c *cobra.Command, files []string) error {
		if *columns == "help" {
			return nil
		}
		return args(c, files)
	}
}

// listColumns prints what --columns can show at a level: the columns of rows, then fields.
func listColumns(s streams, l listing.Level, b *dissect.Bindings) error {
	sets, err := query.NewSets(b.Own()...)
	if err != nil {
		return err
	}
	t := lines.New(s.out, false, columnsOf(s.out))
	title := func(text string) {
		t.B = append(t.B, text...)
		t.End()
	}
	title("Columns of rows:")
	ownColumns(&t, rows.Own(l))
	t.End()
	title("Fields, which filters (-Y) accept as well:")
	for _, f := range sets.Fields(queryLevel(l)) {
		entry(&t, f.Name, f.Doc, 24)
	}
	if err := t.Flush(); err != nil {
		return writeError(err)
	}
	return nil
}

// listStatsColumns prints what --columns can show of statistics.
func listStatsColumns(s streams) error {
	t := lines.New(s.out, false, columnsOf(s.out))
	ownColumns(&t, rows.OwnStats())
	if err := t.Flush(); err != nil {
		return writeError(err)
	}
	return nil
}

// ownColumns prints the columns that rows have of their own.
func ownColumns(t *lines.Writer, own []listing.Own) {
	width := 0
	for _, c := range own {
		width = max(width, len(c.Name))
	}
	for _, c := range own {
		doc := c.Doc
		if c.Field != "" {
			doc += " (" + c.Field + ")"
		}
		entry(t, c.Name, doc, width)
	}
}

// entry prints a name, and beside it what it is.
func entry(t *lines.Writer, name, doc string, width int) {
	t.B = append(t.B, "  "...)
	t.Cell(lines.Column{Width: width}, name)
	p := lines.Paragraph{To: t, Prefix: "  ", Under: width + len(lines.Gap)}
	p.Begin("", doc, words.Ink{})
}

// noColumn is an error about a name that is neither a field nor a column that rows have of their
// own, with the name of one that may have been meant.
func noColumn(err error, own []listing.Own) error {
	var wrong *filter.Error
	if !errors.As(err, &wrong) || wrong.Hint != "" {
		return err
	}
	names := make([]string, len(own))
	for i := range own {
		names[i] = own[i].Name
	}
	wrong.Hint = "--columns help lists all"
	if near := rules.Nearest(wrong.Expr, names); near != "" {
		wrong.Hint = "did you mean " + near + "? " + wrong.Hint
	}
	return err
}
