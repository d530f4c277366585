package rows

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// The columns with which rows begin, in their order.
var (
	colFile  = lines.Column{Name: "File", Width: 4, Right: true}
	colFrame = lines.Column{Name: "Frame", Width: 7, Right: true}
	colNo    = lines.Column{Name: "No.", Width: 7, Right: true}
	colTime  = lines.Column{Name: "Time [s]", Width: 11, Right: true}
	colConn  = lines.Column{Name: "Conn", Width: 4}
)

// Those of frames.
var (
	colLength = lines.Column{Name: "Length", Width: 6, Right: true}
	colOpCode = lines.Column{Name: "OpCode", Width: 28}
	colDestQP = lines.Column{Name: "QP/port", Width: 8}
	colPSN    = lines.Column{Name: "PSN/Seq", Width: 10, Right: true}
)

// Those of messages, and of RPCs, which have the first of them too.
var (
	colXID     = lines.Column{Name: "XID", Width: 10}
	colProc    = lines.Column{Name: "Procedure", Width: 10}
	colCredits = lines.Column{Name: "Credits", Width: 7, Right: true}
	colHeader  = lines.Column{Name: "Header [B]", Width: 10, Right: true}
	colSend    = lines.Column{Name: "Length [B]", Width: 10, Right: true}

	colProcedure = lines.Column{Name: "Procedure", Width: 25}
	colTravelled = lines.Column{Name: "Travelled", Width: 23}
	colCall      = lines.Column{Name: "Call [B]", Width: 8, Right: true}
	colReply     = lines.Column{Name: "Reply [B]", Width: 9, Right: true}
	colLatency   = lines.Column{Name: "Latency", Width: 7, Right: true}
)

// heading prints the names of the columns above the first row.
func (t *Text) heading(first lines.Column, peers string, columns []lines.Column, last string) {
	if t.headed {
		return
	}
	t.headed = true
	columns, last = t.headings(columns, last)
	t.peers.Name = peers
	t.peers.Width = max(t.peers.Width, minPeers)
	t.B = append(t.B, t.Style.Dim.On...)
	if t.opts.TimeOfDay {
		t.timeCell("Time [UTC]")
	}
	if t.opts.Files > 1 && first == colFrame {
		t.Cell(colFile, colFile.Name)
	}
	t.Cell(first, first.Name)
	if !t.opts.TimeOfDay {
		t.Cell(colTime, colTime.Name)
	}
	for _, c := range [...]lines.Column{colConn, t.peers} {
		t.Cell(c, c.Name)
	}
	for _, c := range columns {
		t.Cell(c, c.Name)
	}
	t.B = append(t.B, last...)
	t.B = append(t.B, t.Style.Dim.Off...)
	t.End()
}

// minPeers is the width of "Requester → responder", and of two short IPv4
// addresses.
const minPeers = 21

// frameNumber appends the number of a frame, and its file if there are several.
func (t *Text) frameNumber(r flow.Ref) {
	if t.opts.Files > 1 {
		t.UintCell(colFile, uint64(r.File))
	}
	t.UintCell(colFrame, uint64(r.Number))
}

// time appends a row's time, in seconds since the first frame, unless the time of day stands before the row.
func (t *Text) time(ns int64) {
	if t.opts.TimeOfDay {
		return
	}
	t.B = append(t.B, t.Style.Dim.On...)
	at := len(t.B)
	if ns == 0 {
		t.B = append(t.B, '-') // the file has no time for the frame
	} else {
		t.B = words.AppendSeconds(t.B, ns-t.start)
	}
	t.EndCell(at, colTime)
	t.B = append(t.B, t.Style.Dim.Off...)
}

// conn appends the number of a connection, or nothing for nil.
func (t *Text) conn(c *dissect.Connection) {
	at := len(t.B)
	if c != nil {
		t.B = append(t.B, '#')
		t.B = strconv.AppendInt(t.B, int64(c.ID), 10)
	}
	t.EndCell(at, colConn)
}

// peersOf appends the connection, the sender and the receiver. Their width
// only grows, so that the columns behind them keep in line.
func (t *Text) peersOf(c *dissect.Connection, from flow.End) {
	last := &t.lastPeers[from]
	if last.id == c.ID && last.width == t.peers.Width {
		t.B = append(t.B, last.text...) // the same as in the row before
		return
	}
	row := len(t.B)
	t.conn(c)
	at := len(t.B)
	t.B = c.Ends[from].Addr.AppendTo(t.B)
	t.B = append(t.B, " → "...)
	t.B = c.Ends[from.Peer()].Addr.AppendTo(t.B)
	t.peers.Width = max(t.peers.Width, words.Columns(t.B[at:]))
	t.EndCell(at, t.peers)
	last.id, last.width = c.ID, t.peers.Width
	last.text = append(last.text[:0], t.B[row:]...)
}
