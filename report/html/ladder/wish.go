package ladder

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/page/evidence"
)

// A Request says what a ladder is to show.
type Request struct {
	Conn   *dissect.Connection
	Frames []flow.Ref // in order, each once
	// Around says that what came before and after is shown too; else only what of
	// it is out of the plain.
	Around bool
	Blamed []Blame
	// ofRPC says that it is the ladder of an RPC, with that XID; roce that it went over RoCE: the connection
	// itself is its shard's, and is not looked at when the ladder is drawn.
	ofRPC, roce bool
	xid         uint32
	// call and reply are the last frames of the messages of an RPC.
	call, reply flow.Ref
	// name is that of the RPC if it is known, status how it ended.
	name, status string
	named        bool
	chunks       []evidence.Chunk
}

// A Blame is a frame that a finding is about, and the finding's rule.
type Blame struct {
	Frame flow.Ref
	Rule  string
}

// blameOf names the rules whose findings are about a frame: what is at fault and what
// shows it are told apart by them.
func (w *Request) blameOf(r flow.Ref) string {
	var rules []string
	for _, b := range w.Blamed {
		if b.Frame == r && !slices.Contains(rules, b.Rule) {
			rules = append(rules, b.Rule)
		}
	}
	return strings.Join(rules, ", ")
}

// Of is the request for an RPC, which people call by a name and a status.
func Of(r *dissect.RPC, name, status string) Request {
	return Request{
		Conn: r.Connection, ofRPC: true, roce: r.Connection.Transport != link.IWARP, xid: r.XID, Frames: slices.Clone(r.Frames), call: lastRef(r.Call), reply: lastRef(r.Reply),
		name: name, status: status, named: r.CallHeader() != nil, chunks: chunksOf(r),
	}
}

// chunksOf are the chunks that the call of an RPC advertised.
func chunksOf(r *dissect.RPC) (list []evidence.Chunk) {
	var last *rpcrdma.Region
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if last == nil || g.Purpose != last.Purpose || g.Chunk != last.Chunk {
			kind := [...]string{rpcrdma.ForRead: "read", rpcrdma.ForWrite: "write", rpcrdma.ForReply: "reply"}[g.Purpose]
			list = append(list, evidence.Chunk{Kind: kind, Label: g.ChunkName(), Step: -1})
		}
		last = g
		c := &list[len(list)-1]
		c.Segments = append(c.Segments, evidence.Segment{Handle: g.Handle, Offset: g.Offset, Length: g.Length, Moved: g.Seen.Len()})
	}
	return list
}

// lastRef is the last frame of a message, none for nil.
func lastRef(m *dissect.Message) (r flow.Ref) {
	if m != nil {
		r = m.Frame()
	}
	return r
}
