package page

import (
	"io"

	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// Options are what a Writer can be told.
type Options struct {
	// MaxSize is the most bytes that the page may have. Without data it has
	// some tens of thousands whatever this says.
	MaxSize int64
	// Files is how many captures there are; with more than one, frames have their
	// file beside their number.
	Files int
	// Sets are the names of the columns of sets that rows have.
	Sets []string
	// Lists are the columns of lists.
	Lists []columns.List
}

const (
	// wordsShare and rowsShare are how much of what there is room for the words and
	// the list of RPCs may take, in percent. Evidence has the rest.
	wordsShare, rowsShare = 20, 30
	// itemsInBlock is how long a block of evidence becomes, in bytes of JSON.
	itemsInBlock = 128 << 10
)

// A Writer takes what goes into the page while a capture streams through, and
// writes the page when all is known.
type Writer struct {
	opts   Options
	spool  *spool
	assets assets
	coder  *columns.Coder

	rows     *columns.Gatherer
	rowsFull bool
	unkept   int64 // rows that had no room

	items      []evidence.Item // the block that is being gathered
	itemsAbout int64           // how long its JSON will be
	firstItem  int
}

// Totals count what a page has.
type Totals struct {
	Rows, Items int
	// RowsLeftOut are those that had no room.
	RowsLeftOut int64
}

// NewWriter returns a Writer that keeps data in an empty file until the page is
// written.
func NewWriter(file io.ReadWriteSeeker, o Options) *Writer {
	w := &Writer{opts: o, assets: loadAssets(), rows: columns.NewGatherer(lag + 1)}
	w.coder = columns.NewCoder(o.Sets, o.Lists, o.Files > 1)
	w.spool = newSpool(file, max(0, w.room()-w.wordsRoom()))
	return w
}

// room is how many bytes there are for words and data.
func (w *Writer) room() int64 {
	return max(0, w.opts.MaxSize-w.assets.size()-w.margin())
}

// margin is kept free: for the meta block and small change.
func (w *Writer) margin() int64 { return min(w.opts.MaxSize/8, 512<<10) }

func (w *Writer) wordsRoom() int64 { return w.room() * wordsShare / 100 }
func (w *Writer) rowsRoom() int64  { return w.room() * rowsShare / 100 }
func (w *Writer) itemsRoom() int64 { return w.room() - w.wordsRoom() - w.rowsRoom() }

// SetsFull reports whether there were more different sets than are kept: filters of
// the page do not see the others. It is to be called after Close.
func (w *Writer) SetsFull() bool { return w.coder.SetsFull() }

// NextRow is the index that the next row will have, -1 if there is no room.
func (w *Writer) NextRow() int {
	if w.rowsFull {
		return -1
	}
	return w.rows.Next()
}

// Row adds an RPC, if there is room for it; else Skip is to be called.
func (w *Writer) Row(r *columns.Row) {
	if w.rowsFull {
		w.Skip()
		return
	}
	if w.rows.Add(r) {
		w.putRows()
		perBlock := w.spool.raw[KindRows] / int64(max(1, w.spool.kept[KindRows])) * columns.RowsInBlock
		w.rowsFull = w.spool.expect(KindRows, perBlock) > w.rowsRoom()
	}
}

// Skip counts an RPC for which there is no row.
func (w *Writer) Skip() { w.unkept++ }

func (w *Writer) putRows() {
	r, first := w.rows.Take()
	if r == nil {
		return
	}
	w.spool.writeBlock(KindRows, first, r.Len(), r.About(), func(b []byte) []byte {
		b = w.coder.Encode(b, r)
		w.rows.Release(r)
		return b
	})
}

// Text is the number of a text for the lists of the row that is added next.
func (w *Writer) Text(data []byte) uint64 {
	if w.rowsFull {
		return 0 // there is no such row
	}
	return w.rows.Text(data)
}

// ListsCut reports whether a list of a row had more values, or a text more bytes, than
// are kept: filters of the page do not see the rest.
func (w *Writer) ListsCut() bool { return w.rows.Cut() }

// Room reports whether less than a share of the room for evidence is used, in percent.
func (w *Writer) Room(share int64) bool {
	return w.spool.expect(KindEvidence, w.itemsAbout) < w.itemsRoom()*share/100
}

// Used is how much of the room for evidence is used for certain, in percent: it never gets less, and Room
// reports no less.
func (w *Writer) Used() int64 {
	if w.itemsRoom() == 0 {
		return 100
	}
	return w.spool.used[KindEvidence] * 100 / w.itemsRoom()
}

// NextItem is the number that the next Item will have.
func (w *Writer) NextItem() int { return w.firstItem + len(w.items) }

// Item adds evidence and returns its number. Nothing of it is to be changed later.
func (w *Writer) Item(i evidence.Item) int {
	number := w.NextItem()
	w.items = append(w.items, i)
	w.itemsAbout += i.About()
	if w.itemsAbout >= itemsInBlock {
		w.putItems()
	}
	return number
}

func (w *Writer) putItems() {
	items := w.items
	if len(items) == 0 {
		return
	}
	w.spool.writeBlock(KindEvidence, w.firstItem, len(items), w.itemsAbout, func(b []byte) []byte {
		j := visible.NewJSON(b)
		j.Open('[')
		for n := range items {
			items[n].AppendTo(&j, w.opts.Files > 1)
		}
		j.Close(']')
		return j.B
	})
	w.firstItem += len(items)
	w.items, w.itemsAbout = nil, 0
}

// Series adds what went over a connection.
func (w *Writer) Series(s *Series) { w.series(KindSeries, s) }

// Whole adds what went over all connections.
func (w *Writer) Whole(s *Series) { w.series(KindWhole, s) }

func (w *Writer) series(kind Kind, s *Series) {
	about := int64(0)
	for _, c := range s.Columns {
		about += 3 * int64(len(c.Values))
	}
	w.spool.writeBlock(kind, s.Connection, 1, about, func(b []byte) []byte {
		j := visible.NewJSON(b)
		s.appendTo(&j)
		return j.B
	})
}

// Totals are what the page has, after Close.
func (w *Writer) Totals() Totals {
	s := w.spool
	return Totals{Rows: s.kept[KindRows], Items: s.kept[KindEvidence], RowsLeftOut: w.unkept + int64(s.dropped[KindRows])}
}

// Close ends the data: what was begun is put away. Words may still be taken.
func (w *Writer) Close() {
	w.putRows()
	w.putItems()
	for w.spool.sent > 0 {
		w.spool.takeResult()
	}
}
