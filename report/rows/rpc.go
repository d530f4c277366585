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
	of := func(name, title, doc string, width, narrow, when int, write func(t *Text, r *dissect.RPC)) column[*dissect.RPC] {
		return column[*dissect.RPC]{
			head:  head{Column: lines.Column{Name: title, Width: width}, name: name, doc: doc, narrow: narrow, when: when},
			write: write,
		}
	}
	right := func(c column[*dissect.RPC]) column[*dissect.RPC] {
		c.Right = true
		return c
	}
	inked := func(c column[*dissect.RPC], ink func(t *Text, r *dissect.RPC) words.Ink) column[*dissect.RPC] {
		c.ink = ink
		return c
	}
	return []column[*dissect.RPC]{
		{head: numberOfRPC()},
		{head: timeOfRow("when the call was sent, in seconds since the first frame")},
		{head: sinceRow()},
		{head: connectionOfRow()},
		of("frames", "Frames", "the last frame of the call and that of the reply", 13, 9, 0,
			func(t *Text, r *dissect.RPC) { t.frames(r) }),
		of("xid", "XID", "XID", 10, 0, 0,
			func(t *Text, r *dissect.RPC) { t.B = words.AppendHandle(t.B, r.XID) }),
		inked(of("proc", "Procedure", "program, version and procedure; of a COMPOUND the operation that it is for", 20, 14, 0,
			func(t *Text, r *dissect.RPC) {
				t.words.Take(r)
				t.B = r.AppendName(t.B, t.words.Ops)
			}), func(t *Text, _ *dissect.RPC) words.Ink { return t.Style.Name }),
		right(of("latency", "Latency", "from the call's last frame to the reply's first", 7, 0, 0,
			func(t *Text, r *dissect.RPC) {
				if ns, ok := r.Latency(); ok {
					t.B = field.AppendDuration(t.B, ns)
				} else {
					t.B = append(t.B, '-')
				}
			})),
		inked(of("status", "Status", "how it ended", 9, 7, 0,
			func(t *Text, r *dissect.RPC) { t.B = words.AppendStatus(t.B, r) }), (*Text).statusInk),
		right(of("call", "Call [B]", "bytes of the call as the server's upper layer saw it", 8, 0, 1,
			func(t *Text, r *dissect.RPC) { t.size(r.Call) })),
		right(of("reply", "Reply [B]", "bytes of the reply as the client's upper layer saw it", 9, 0, 1,
			func(t *Text, r *dissect.RPC) { t.size(r.Reply) })),
		of("travelled", "Travelled", "how call and reply travelled: inline, with chunks, long", 23, 0, 3,
			func(t *Text, r *dissect.RPC) { t.B = words.AppendTravel(t.B, r) }),
		{head: peersOfRow("Requester → responder", "who called, and who was called", 4)},
		of("operations", "Operations", "what it was about, operation by operation, and what is missing of it", 60, 0, 0, (*Text).about),
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
		t.B = append(t.B, '-')
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
	t.words.Take(r)
	t.B = t.words.AppendOperations(t.B, r)
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

// remark parts a remark from what a cell that begins at an octet has before it.
func (t *Text) remark(at int) {
	if len(t.B) > at {
		t.B = append(t.B, lines.Gap...)
	}
}
