package page

import (
	"io"

	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// Shelves are for the findings and connections: all have room for so many octets
// together.
func (w *Writer) Shelves() (findings, connections *markup.Shelf) {
	room := w.wordsRoom()
	return &markup.Shelf{Room: room * 7 / 10}, &markup.Shelf{Room: room * 3 / 10}
}

// Write writes the page. It is to be called once, after Close.
func (w *Writer) Write(out io.Writer, d *Document, m *Meta) error {
	w.spool.limit += w.margin()
	w.spool.put(KindMeta, 0, 1, 0, func(b []byte) []byte {
		j := visible.NewJSON(b)
		m.appendTo(&j, w)
		return j.B
	})
	if err := w.spool.end(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, w.assets.head(d.Title)); err != nil {
		return err
	}
	if err := writeWords(out, d); err != nil {
		return err
	}
	if err := w.spool.copyTo(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, w.assets.tail())
	return err
}
