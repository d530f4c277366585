package rows

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// The columns that all levels have: what is in them only the order of the capture decides.

// minPeers is the width of "Requester → responder", and of two short IPv4
// addresses.
const minPeers = 21

func numberOfRPC() head {
	return head{
		Column: lines.Column{Name: "No.", Width: 7, Right: true}, name: "no", doc: "number of the RPC, in order of completion", when: 2,
		placed: func(t *Text, _ *draft.Placeholder) { t.B = strconv.AppendUint(t.B, t.rpcs, 10) },
	}
}

func numberOfFrame(doc string) head {
	return head{
		Column: lines.Column{Name: "Frame", Width: 7, Right: true}, name: "no", field: "frame.number", doc: doc,
		placed: func(t *Text, b *draft.Placeholder) { t.B = strconv.AppendInt(t.B, b.Ref.Number, 10) },
	}
}

func fileOfFrame() head {
	return head{
		Column: lines.Column{Name: "File", Width: 4, Right: true}, name: "file", field: "frame.file", doc: "index of the frame's file on the command line, from 0",
		placed: func(t *Text, b *draft.Placeholder) { t.B = strconv.AppendInt(t.B, int64(b.Ref.File), 10) },
	}
}

func connectionOfRow() head {
	return head{
		Column: lines.Column{Name: "Conn", Width: 4}, name: "conn", field: "connection", doc: "number of the connection",
		placed: func(t *Text, b *draft.Placeholder) {
			if b.Conn != nil {
				if t.opts.Separator == 0 {
					t.B = append(t.B, '#')
				}
				t.B = strconv.AppendInt(t.B, int64(b.Conn.ID), 10)
			}
		},
	}
}

// peersOfRow is the column of who sends and who receives. Its width only grows, so that the
// columns that follow it keep in line.
func peersOfRow(title, doc string, rank int) head {
	return head{
		Column: lines.Column{Name: title, Width: minPeers}, name: "peers", doc: doc, when: rank, grows: true,
		placed: func(t *Text, b *draft.Placeholder) { t.peersOf(b.Conn, b.From) },
	}
}

// directionOf is the column of who it goes to.
func directionOf[T any](doc string, toServer func(row T) (bool, bool)) column[T] {
	return column[T]{
		head: head{Column: lines.Column{Name: "To", Width: len("server")}, name: "to", doc: doc},
		write: func(t *Text, row T) {
			if to, known := toServer(row); known {
				t.B = append(t.B, words.Receiver(to)...)
			}
		},
	}
}

// peersOf appends the sender and the receiver.
func (t *Text) peersOf(c *dissect.Connection, from flow.End) {
	last := &t.lastPeers[from]
	if last.id != c.ID {
		last.id = c.ID
		last.text = c.Ends[from].Addr.AppendTo(last.text[:0])
		last.text = append(last.text, " → "...)
		last.text = c.Ends[from.Peer()].Addr.AppendTo(last.text)
		t.peers.Width = max(t.peers.Width, words.Columns(last.text))
	}
	t.B = append(t.B, last.text...)
}
