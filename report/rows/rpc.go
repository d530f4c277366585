package rows

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// ofRPCs are the columns of RPCs.
func ofRPCs() []column[*dissect.RPC] {
	frame := func(name, title, doc string) column[*dissect.RPC] {
		return column[*dissect.RPC]{head: head{
			Column: lines.Column{Name: title, Width: 11, Right: true}, name: name, field: "rpc." + name, doc: doc, when: never, programs: true,
		}}
	}
	length := func(name, title, doc string, of func(r *dissect.RPC) *dissect.Message) column[*dissect.RPC] {
		return column[*dissect.RPC]{
			head: head{
				Column: lines.Column{Name: title, Width: max(8, len(title)), Right: true},
				name:   name, field: "rpc." + name + ".length", doc: doc, when: 1,
			},
			write: func(t *Text, r *dissect.RPC) { t.size(of(r)) },
		}
	}
	return []column[*dissect.RPC]{
		{head: numberOfRPC()},
		{head: timeOfRow("when the call was sent, in the format of --time")},
		{head: sinceRow()},
		{head: connectionOfRow()},
		{
			head: head{
				Column: lines.Column{Name: "Frames", Width: 13}, narrow: 9,
				name: "frames", doc: "the last frames of call and reply: 110→112", people: true,
			},
			write: (*Text).frames,
		},
		frame("call_frame", "Call frame", "the last frame of the call"),
		frame("reply_frame", "Reply frame", "the last frame of the reply"),
		{
			head:  head{Column: lines.Column{Name: "XID", Width: 10}, name: "xid", field: "rpc.xid", doc: "XID"},
			write: func(t *Text, r *dissect.RPC) { t.B = words.AppendHandle(t.B, r.XID) },
		},
		{
			head: head{
				Column: lines.Column{Name: "Procedure", Width: 21}, narrow: 16, elided: true,
				name: "proc", doc: "program, version and procedure; for a COMPOUND its main operation",
			},
			write: func(t *Text, r *dissect.RPC) {
				t.B = r.AppendName(t.B, t.wordsOf(r).Ops)
			},
			ink: func(t *Text, _ *dissect.RPC) words.Ink { return t.Style.Name },
		},
		{
			head: head{
				Column: lines.Column{Name: "Latency", Width: 7, Right: true},
				name:   "latency", field: "rpc.latency", doc: "from the last frame of the call to the first frame of the reply",
			},
			write: (*Text).latency,
		},
		{
			head:  head{Column: lines.Column{Name: "Status", Width: 9}, narrow: 7, name: "status", doc: "status of the reply"},
			write: func(t *Text, r *dissect.RPC) { t.B = words.AppendStatus(t.B, r) },
			ink:   (*Text).statusInk,
		},
		length("call", "Call [B]", "bytes of the call as the server's upper layer saw it", func(r *dissect.RPC) *dissect.Message { return r.Call }),
		length("reply", "Reply [B]", "bytes of the reply as the client's upper layer saw it", func(r *dissect.RPC) *dissect.Message { return r.Reply }),
		{
			head: head{
				Column: lines.Column{Name: "Travelled", Width: 23},
				name:   "travelled", doc: "how call and reply were sent: inline, with chunks, long", when: 3,
			},
			write: func(t *Text, r *dissect.RPC) { t.B = words.AppendTravel(t.B, r) },
		},
		{head: peersOfRow("Requester → responder", "requester and responder", 4)},
		{
			head:  head{Column: lines.Column{Name: "Operations", Width: 60}, name: "operations", doc: "arguments and results, operation by operation, and what is missing of it"},
			write: (*Text).about,
		},
	}
}

// latency appends from when to when an RPC took.
func (t *Text) latency(r *dissect.RPC) {
	if ns, ok := r.Latency(); ok {
		t.B = field.AppendDuration(t.B, ns)
	} else {
		t.none()
	}
}

// frames appends the numbers of the frames that end the call, and that end the reply.
func (t *Text) frames(r *dissect.RPC) {
	for i, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if i > 0 {
			t.B = append(t.B, "→"...)
		}
		switch {
		case m == nil:
			t.B = append(t.B, '-')
		case t.opts.Files > 1:
			t.B = append(t.B, m.Frame().Name(true)...)
		default:
			t.B = strconv.AppendInt(t.B, m.Frame().Number, 10)
		}
	}
}

// size appends the length of an RPC message as the upper layer saw it.
func (t *Text) size(m *dissect.Message) {
	if m == nil || m.RPCLength == 0 {
		t.none()
		return
	}
	t.B = strconv.AppendUint(t.B, m.RPCLength, 10)
}

// statusInk is the colour of how an RPC ended.
func (t *Text) statusInk(r *dissect.RPC) words.Ink {
	switch s := r.ReplyHeader(); {
	case s != nil && s.Status() == "SUCCESS":
		if name, ok := r.Status(); name != "" && !ok {
			return t.Style.Odd
		}
		return t.Style.Good
	case s == nil && !r.Complete:
		return t.Style.Odd
	}
	return t.Style.Bad
}

// wordsOf are the words for the RPC whose row is written: they are taken once for all its columns.
func (t *Text) wordsOf(r *dissect.RPC) *words.Words {
	if !t.taken {
		t.words.Take(r)
		t.taken = true
	}
	return &t.words
}

// about appends what an RPC was about, and what is missing of it.
func (t *Text) about(r *dissect.RPC) {
	at := len(t.B)
	if c := r.CallHeader(); c != nil && c.Cred.Flavor == rpc.RPCSECGSS {
		t.B = append(t.B, "GSS "...)
		t.B = append(t.B, c.Cred.GSS.Service.String()...)
	}
	if at < len(t.B) {
		t.B = append(t.B, lines.Gap...)
	}
	t.B = t.wordsOf(r).AppendOperations(t.B, r)
	t.B = trimmed(t.B, at)
	if !r.Complete && r.Reply != nil {
		t.remark(at)
		t.B = append(t.B, '[')
		t.B = append(t.B, t.Style.Odd.On...)
		t.B = append(t.B, "incomplete: "...)
		t.B = append(t.B, r.Missing...)
		t.B = append(t.B, t.Style.Odd.Off...)
		t.B = append(t.B, ']')
	}
	if bad := r.Undecodable(); bad != "" {
		t.remark(at)
		t.B = append(t.B, '[')
		t.B = t.Style.Bad.Append(t.B, bad)
		t.B = append(t.B, ']')
	}
}

// remark parts a remark from what a cell that begins at a byte has before it.
func (t *Text) remark(at int) {
	if len(t.B) > at {
		t.B = append(t.B, lines.Gap...)
	}
}
