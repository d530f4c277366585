package page

import (
	"io"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

// FindingsRoom is how many bytes of HTML there is room for of findings.
func (w *Writer) FindingsRoom() int64 { return w.wordsRoom() * 7 / 10 }

// ConnectionsRoom is how many bytes of HTML may be kept of connections until it is known what else the page has.
func (w *Writer) ConnectionsRoom() int64 { return w.room() / 2 }

// Left is how many bytes of HTML there is room for of connections, after Close, when findings use so many: rows,
// evidence and findings leave them what they do not need.
func (w *Writer) Left(findings int64) int64 {
	left := w.room() - findings
	for _, used := range w.spool.used {
		left -= used
	}
	return max(left, w.wordsRoom()-findings)
}

// Write writes the page. It is to be called once, after Close.
func (w *Writer) Write(out io.Writer, d *Document, m *Meta) error {
	w.spool.limit += w.margin()
	w.spool.writeBlock(KindMeta, 0, 1, 0, func(b []byte) []byte {
		j := visible.NewJSON(b)
		m.appendTo(&j, w)
		return j.B
	})
	if err := w.spool.wait(); err != nil {
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
