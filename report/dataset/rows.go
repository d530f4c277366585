package dataset

import (
	"bytes"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/words"
)

// Rows of these begin with a byte of their own; a record of JSON begins with a brace.
const (
	rpcRow byte = iota + 1
	messageRow
	frameRow
)

// A rows is a dissect.Sink that appends rows to the draft of a shard.
type rows struct {
	row
	wanted  Wanted
	nested  *record.Structures
	words   words.Words
	rpc     []query.RecordMember[*dissect.RPC]
	message []query.RecordMember[*dissect.Message]
	frame   []query.RecordMember[*dissect.FrameView]
}

func newRows(w Wanted, files int, b *[]byte, leave func(draft.Placeholder)) *rows {
	return &rows{
		row:    row{b: b, leave: leave, files: files},
		wanted: w, nested: record.NewStructures(files),
		rpc: query.RPCMembers(), message: query.MessageMembers(), frame: query.FrameMembers(),
	}
}

// Connection implements dissect.Sink: package record writes them.
func (w *rows) Connection(*dissect.Connection, bool) {}

// RPC implements dissect.Sink.
func (w *rows) RPC(r *dissect.RPC) {
	if !w.wanted.RPCs {
		return
	}
	*w.b = append(*w.b, rpcRow)
	w.ends(r.Connection)
	w.words.Take(r)
	w.room = w.words.AppendName(w.room[:0], r)
	w.bytes(w.room)
	members(&w.row, w.rpc, r, w.ofRPC)
}

// ends appends who the client of a connection is, and who the server.
func (w *rows) ends(c *dissect.Connection) {
	if c == nil {
		w.null()
		w.null()
		return
	}
	w.room = c.Client().Addr.AppendTo(w.room[:0])
	w.bytes(w.room)
	w.room = c.Server().Addr.AppendTo(w.room[:0])
	w.bytes(w.room)
}

func (w *rows) ofRPC(m *query.RecordMember[*dissect.RPC], r *dissect.RPC) {
	switch m.Member.Name {
	case "connection":
		w.connection(r.Connection)
	case "call":
		w.one(r.Call, true)
	case "reply":
		w.one(r.Reply, true)
	case "ops":
		w.length(len(w.words.Ops))
		for i := range w.words.Ops {
			w.text(w.words.Ops[i].Name)
			w.text(w.words.Ops[i].Status)
		}
	case "summary":
		w.room = w.words.AppendSummary(w.room[:0], r)
		w.bytes(w.room)
	case "parts_ns":
		w.parts(r)
	case "frames":
		w.frames(r.Frames)
	default:
		w.null()
	}
}

// parts appends where the time went.
func (w *rows) parts(r *dissect.RPC) {
	p, ok := r.Parts()
	if !ok {
		w.null()
		return
	}
	w.there()
	for x := range dissect.NumPhases {
		if ns, ok := p.Of(x); ok {
			w.number(ns)
		} else {
			w.null()
		}
	}
}

// one appends a message in a row of something else: of an RPC with what the RPC knows of it.
func (w *rows) one(m *dissect.Message, ofRPC bool) {
	if m == nil {
		w.null()
		return
	}
	w.there()
	members(&w.row, w.message, m, w.ofMessage)
	if ofRPC {
		w.number(int64(m.RPCLength))
		w.text(m.Transfer.String())
	}
}

// Message implements dissect.Sink.
func (w *rows) Message(m *dissect.Message) {
	if !w.wanted.Messages {
		return
	}
	*w.b = append(*w.b, messageRow)
	w.ends(m.Connection)
	members(&w.row, w.message, m, w.ofMessage)
}

func (w *rows) ofMessage(member *query.RecordMember[*dissect.Message], m *dissect.Message) {
	switch name := member.Member.Name; name {
	case "connection":
		w.connection(m.Connection)
	case "frame":
		w.place(m.Frame())
	case "frames":
		w.frames(m.Frames)
	default:
		w.json(w.nested.Message(name, m))
	}
}

// Frame implements dissect.Sink.
func (w *rows) Frame(v *dissect.FrameView) {
	if !w.wanted.Frames {
		return
	}
	*w.b = append(*w.b, frameRow)
	members(&w.row, w.frame, v, w.ofFrame)
}

func (w *rows) ofFrame(m *query.RecordMember[*dissect.FrameView], v *dissect.FrameView) {
	switch name := m.Member.Name; name {
	case "connection":
		w.connection(v.Connection)
	case "frame":
		w.place(v.Frame.Ref())
	case "message":
		w.one(v.Message, false)
	default:
		w.json(w.nested.Frame(name, v))
	}
}

// json appends a value that is JSON: a string as a text.
func (w *row) json(value []byte) {
	switch {
	case len(value) == 0 || string(value) == "null":
		w.null()
	case value[0] == '"':
		s, err := strconv.Unquote(string(value))
		if err != nil { // an escape that JSON has and Go has not
			s = string(bytes.Trim(value, `"`))
		}
		w.text(s)
	default:
		w.bytes(value)
	}
}
