package main

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows"
	"github.com/rdmacap/rdmacap/report/words"
)

// listColumns prints what --columns can show at a level: the columns of rows, then fields.
func listColumns(s streams, l listing.Level, b *dissect.Bindings) error {
	sets, err := query.NewSets(b.Own()...)
	if err != nil {
		return err
	}
	t := lines.New(s.out, false, columnsOf(s.out))
	entry := func(name, doc string, width int) {
		t.B = append(t.B, "  "...)
		t.Cell(lines.Column{Width: width}, name)
		p := lines.Paragraph{To: &t, Prefix: "  ", Under: width + len(lines.Gap)}
		p.Begin("", doc, words.Ink{})
	}
	own := rows.Own(l)
	width := 0
	for _, c := range own {
		width = max(width, len(c.Name))
	}
	title := func(text string) {
		t.B = append(t.B, text...)
		t.End()
	}
	title("Columns of rows:")
	for _, c := range own {
		doc := c.Doc
		if c.Field != "" {
			doc += " (" + c.Field + ")"
		}
		entry(c.Name, doc, width)
	}
	t.End()
	title("Fields, which filters (-Y) can ask for as well:")
	for _, f := range sets.Fields(queryLevel(l)) {
		entry(f.Name, f.Doc, 24)
	}
	if err := t.Flush(); err != nil {
		return writeError(err)
	}
	return nil
}
