package page

import (
	"io"
)

// Shelves are for the findings and connections: all have room for so many octets
// together.
func (w *Writer) Shelves() (findings, connections *Shelf) {
	room := w.wordsRoom()
	return &Shelf{Room: room * 7 / 10}, &Shelf{Room: room * 3 / 10}
}

// Write writes the page. It is to be called once, after Close.
func (w *Writer) Write(out io.Writer, d *Document, m *Meta) error {
	w.spool.limit += w.margin()
	w.spool.put(KindMeta, 0, 1, 0, func(b []byte) []byte {
		j := buffer{b}
		m.appendTo(&j, w)
		return j.b
	})
	if err := w.spool.end(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, w.assets.head(d.Title)); err != nil {
		return err
	}
	if err := w.assets.words.ExecuteTemplate(out, "words.html", d); err != nil {
		return err
	}
	if err := w.spool.copyTo(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, w.assets.tail())
	return err
}
