package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A column is a part of a row: its heading and how wide it is. Text that is
// wider pushes the rest of its row to the right and is never cut.
type column struct {
	name  string
	width int
	right bool // flush right, as numbers are
}

// The columns, in the order in which rows begin with them.
var (
	colFile  = column{"File", 4, true}
	colFrame = column{"Frame", 7, true}
	colNo    = column{"No.", 7, true}
	colTime  = column{"Time [s]", 11, true}
	colConn  = column{"Conn", 4, false}
)

// gap is what stands between two columns.
const gap = "  "

// end pads the text from octet at on to the width of its column.
func (t *Text) end(at int, c column) {
	t.b = pad(t.b, at, c.width, c.right)
	t.b = append(t.b, gap...)
}

// cell appends a text as a column.
func (t *Text) cell(c column, text string) {
	at := len(t.b)
	t.b = append(t.b, text...)
	t.end(at, c)
}

// uintCell appends a number as a column.
func (t *Text) uintCell(c column, v uint64) {
	if !c.right {
		at := len(t.b)
		t.b = strconv.AppendUint(t.b, v, 10)
		t.end(at, c)
		return
	}
	// The spaces first: nothing has to be moved then.
	t.b = appendSpaces(t.b, max(0, c.width-digits(v)))
	t.b = strconv.AppendUint(t.b, v, 10)
	t.b = append(t.b, gap...)
}

// digits is how many decimal digits a number has.
func digits(v uint64) (n int) {
	for n = 1; v >= 10; v /= 10 {
		n++
	}
	return n
}

// heading prints the names of the columns above the first row.
func (t *Text) heading(first column, peers string, columns []column, last string) {
	if t.headed {
		return
	}
	t.headed = true
	t.peers.name = peers
	t.peers.width = max(t.peers.width, minPeers)
	t.b = append(t.b, t.style.dim.on...)
	if t.opts.Files > 1 && first == colFrame {
		t.cell(colFile, colFile.name)
	}
	for _, c := range [...]column{first, colTime, colConn, t.peers} {
		t.cell(c, c.name)
	}
	for _, c := range columns {
		t.cell(c, c.name)
	}
	t.b = append(t.b, last...)
	t.b = append(t.b, t.style.dim.off...)
	t.endRow()
}

// minPeers is the width of "Requester → responder", and of two short IPv4
// addresses.
const minPeers = 21

// frameNumber appends the number of a frame, and its file if there are several.
func (t *Text) frameNumber(r flow.Ref) {
	if t.opts.Files > 1 {
		t.uintCell(colFile, uint64(r.File))
	}
	t.uintCell(colFrame, uint64(r.Number))
}

// time appends a row's time, in seconds since the first frame.
func (t *Text) time(ns int64) {
	t.b = append(t.b, t.style.dim.on...)
	at := len(t.b)
	if ns == 0 {
		t.b = append(t.b, '-') // the file has no time for the frame
	} else {
		t.b = appendSeconds(t.b, ns-t.start)
	}
	t.end(at, colTime)
	t.b = append(t.b, t.style.dim.off...)
}

// conn appends the number of a connection, or nothing for nil.
func (t *Text) conn(c *dissect.Connection) {
	at := len(t.b)
	if c != nil {
		t.b = append(t.b, '#')
		t.b = strconv.AppendInt(t.b, int64(c.ID), 10)
	}
	t.end(at, colConn)
}

// peersOf appends the connection, the sender and the receiver. Their width
// only grows, so that the columns behind them keep in line.
func (t *Text) peersOf(c *dissect.Connection, from flow.End) {
	last := &t.lastPeers[from]
	if last.id == c.ID && last.width == t.peers.width {
		t.b = append(t.b, last.text...) // the same as in the row before
		return
	}
	row := len(t.b)
	t.conn(c)
	at := len(t.b)
	t.b = c.Ends[from].Addr.AppendTo(t.b)
	t.b = append(t.b, " → "...)
	t.b = c.Ends[from.Peer()].Addr.AppendTo(t.b)
	t.peers.width = max(t.peers.width, columns(t.b[at:]))
	t.end(at, t.peers)
	last.id, last.width = c.ID, t.peers.width
	last.text = append(last.text[:0], t.b[row:]...)
}

// peersText is what peersOf made of a connection, and for which width.
type peersText struct {
	id, width int
	text      []byte
}

// pad pads what stands in b from start on to width columns, on its left if
// right is true.
func pad(b []byte, start, width int, right bool) []byte {
	n := width - columns(b[start:])
	if n <= 0 {
		return b
	}
	b = appendSpaces(b, n)
	if right {
		copy(b[start+n:], b[start:len(b)-n])
		appendSpaces(b[:start], n)
	}
	return b
}

// columns is how many columns text takes: one a character, which in UTF-8 has
// one octet that does not go on another.
func columns[T string | []byte](text T) (n int) {
	for i := range len(text) {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// appendSpaces appends n spaces.
func appendSpaces(b []byte, n int) []byte {
	const some = "                                "
	for ; n > len(some); n -= len(some) {
		b = append(b, some...)
	}
	return append(b, some[:n]...)
}
