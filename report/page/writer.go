package page

import (
	"io"
)

// Options are what a Writer can be told.
type Options struct {
	// MaxSize is the most octets that the page may have. Without data it has
	// some tens of thousands whatever this says.
	MaxSize int64
	// Files is how many captures there are; with more than one, frames have their
	// file beside their number.
	Files int
}

const (
	// wordsShare and rowsShare are how much of what there is room for the words and
	// the list of RPCs may take, in percent. Evidence has the rest.
	wordsShare, rowsShare = 20, 40
	// margin is kept free, in octets: for the meta block and small change.
	margin = 64 << 10
	// itemsInBlock is how long a block of evidence becomes, in octets of JSON.
	itemsInBlock = 128 << 10
)

// A Writer takes what goes into the page while a capture streams through, and
// writes the page when all is known.
type Writer struct {
	opts   Options
	spool  *spool
	assets assets
	names  dictionary
	sets   setTable

	rows      rows
	firstRow  int // of the block that is being gathered
	rowsFull  bool
	unkept    int64 // rows that had no room
	items     buffer
	firstItem int
	inBlock   int   // items in the block that is being gathered
	err       error // of a template
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
	w := &Writer{opts: o, assets: loadAssets()}
	w.rows.several = o.Files > 1
	w.spool = newSpool(file, max(0, w.room()-w.wordsRoom()))
	return w
}

// room is how many octets there are for words and data.
func (w *Writer) room() int64 {
	return max(0, w.opts.MaxSize-w.assets.size()-margin)
}

func (w *Writer) wordsRoom() int64 { return w.room() * wordsShare / 100 }
func (w *Writer) rowsRoom() int64  { return w.room() * rowsShare / 100 }
func (w *Writer) itemsRoom() int64 { return w.room() - w.wordsRoom() - w.rowsRoom() }

// SetColumns names the columns of sets that rows have, before there are any.
func (w *Writer) SetColumns(names []string) {
	for _, name := range names {
		w.rows.sets = append(w.rows.sets, setColumn{column: column{name: name}})
	}
}

// SetsFull reports whether there were more different sets than are kept: filters of
// the page do not see the others.
func (w *Writer) SetsFull() bool { return w.sets.full }

// Row adds an RPC, and returns its index, or -1 if there is no room for it.
func (w *Writer) Row(r *Row) int {
	if w.rowsFull {
		w.unkept++
		return -1
	}
	w.rows.add(r, &w.names, &w.sets)
	index := w.firstRow + w.rows.n - 1
	if w.rows.n == rowsInBlock {
		w.putRows()
		w.rowsFull = w.spool.expect(KindRows, w.spool.raw[KindRows]/int64(max(1, w.spool.kept[KindRows]))*rowsInBlock) > w.rowsRoom()
	}
	return index
}

func (w *Writer) putRows() {
	if w.rows.n == 0 {
		return
	}
	n := w.rows.n
	w.spool.put(KindRows, w.firstRow, n, w.rows.take(w.spool.buffer()))
	w.firstRow += n
}

// NextRow is the index that the next row will have, -1 if there is no room.
func (w *Writer) NextRow() int {
	if w.rowsFull {
		return -1
	}
	return w.firstRow + w.rows.n
}

// Room reports whether less than a share of the room for evidence is used, in percent.
func (w *Writer) Room(share int64) bool {
	return w.spool.expect(KindEvidence, int64(len(w.items.b))) < w.itemsRoom()*share/100
}

// NextItem is the number that the next Item will have.
func (w *Writer) NextItem() int { return w.firstItem + w.inBlock }

// Item adds evidence and returns its number.
func (w *Writer) Item(i *Item) int {
	if w.inBlock == 0 {
		w.items.b = append(w.spool.buffer(), '[')
	}
	i.appendTo(&w.items, w.opts.Files > 1)
	w.inBlock++
	number := w.firstItem + w.inBlock - 1
	if len(w.items.b) >= itemsInBlock {
		w.putItems()
	}
	return number
}

func (w *Writer) putItems() {
	if w.inBlock == 0 {
		return
	}
	w.items.close(']')
	w.spool.put(KindEvidence, w.firstItem, w.inBlock, w.items.b)
	w.firstItem += w.inBlock
	w.items.b, w.inBlock = nil, 0
}

// Series adds what went over a connection.
func (w *Writer) Series(s *Series) {
	j := buffer{w.spool.buffer()}
	s.appendTo(&j)
	w.spool.put(KindSeries, s.Connection, 1, j.b)
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
		w.spool.hear()
	}
}
