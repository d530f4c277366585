package anonymize

import (
	"crypto/sha256"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// A longs finds the frames of RDMA Reads and Writes that moved long messages, headers and all.
type longs struct {
	// moved are the parts of the long messages of RPCs that are not over.
	moved map[*dissect.RPC][]part
	parts []known
	// late are replies of which it is not known yet what they answer.
	late map[*dissect.RPC][]byte
	// segments are the tagged segments that came with frames, by the last of them.
	segments map[flow.Ref][]tagged
}

func newLongs() longs {
	return longs{moved: make(map[*dissect.RPC][]part), late: make(map[*dissect.RPC][]byte), segments: make(map[flow.Ref][]tagged)}
}

// A part is what one packet or DDP segment moved of a long message.
type part struct {
	reply bool
	at, n int // in the message
	refs  []flow.Ref
}

// A known is what is known of a part.
type known struct {
	refs  []flow.Ref
	hash  [sha256.Size]byte
	spans []span // by their offset in the part
}

// A tagged is where the payload of a tagged segment lies.
type tagged struct {
	hash   [sha256.Size]byte
	pieces []flow.Piece
}

// Access implements dissect.AccessSink.
func (x *Planner) Access(a *dissect.Access) {
	r := a.Region
	if r == nil || a.Kind == dissect.AccessRead || a.RPC == nil || a.Offset < r.Offset {
		return
	}
	if r.Purpose == rpcrdma.ForWrite || r.Purpose == rpcrdma.ForRead && r.Position != 0 {
		return
	}
	at := r.Start + a.Offset - r.Offset
	if at > rpcrdma.MaxLong || !x.any(a.Frames) {
		return
	}
	x.moved[a.RPC] = append(x.moved[a.RPC], part{
		reply: r.Purpose == rpcrdma.ForReply, at: int(at), n: a.Length, refs: append([]flow.Ref(nil), a.Frames...),
	})
}

// RPC implements dissect.Sink.
func (x *Planner) RPC(r *dissect.RPC) {
	if raw := x.late[r]; raw != nil {
		delete(x.late, r)
		if r.Reply != nil {
			x.message(r.Reply, raw)
		}
	}
	parts := x.moved[r]
	if parts == nil {
		return
	}
	delete(x.moved, r)
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m == nil || m.Transfer != dissect.Long {
			continue
		}
		b := m.LongMessage()
		if len(b) == 0 {
			continue
		}
		x.draft.beginBytes(b)
		x.rpc(m, b, 0)
		x.draft.pads(0)
		for _, p := range parts {
			if p.reply == m.Answer && p.at < len(b) {
				p.n = min(p.n, len(b)-p.at) // as far as it was captured
				x.part(p)
			}
		}
	}
}

// part notes what is known of a part of the message of which the draft is.
func (x *Planner) part(p part) {
	k := known{refs: p.refs, hash: sha256.Sum256(x.draft.was[p.at : p.at+p.n])}
	x.draft.runs(func(at int, is []byte) {
		from, to := max(at, p.at), min(at+len(is), p.at+p.n)
		if from < to {
			k.spans = append(k.spans, span{from - p.at, append([]byte(nil), is[from-at:to-at]...)})
		}
	})
	x.parts = append(x.parts, k)
}

// unit notes where the payload of an FPDU lies, if it moves what RDMA Reads and Writes do.
func (x *Planner) unit(at flow.Ref, u *flow.Unit) {
	for _, p := range u.Pieces {
		x.noteKnown(p.Ref, p.Offset, nil)
	}
	if !u.PDU.Tagged || u.FPDU.FirstMarker >= 0 || u.PDU.Fault.Bad() {
		return
	}
	const length = 2 // of ULPDU_Length
	payload := u.PDU.Payload()
	t := tagged{hash: sha256.Sum256(payload)}
	within(u.Pieces, length+u.PDU.PayloadStart, len(payload), func(at int, p flow.Place) {
		t.pieces = append(t.pieces, flow.Piece{Start: at, Place: p})
	})
	x.segments[at] = append(x.segments[at], t)
}

// finish tells the frames what is known of the parts that they moved: of those that carry just that.
func (l *longs) finish(x *Planner) {
	for i := range l.parts {
		k := &l.parts[i]
		last := k.refs[len(k.refs)-1]
		if f := x.plan.frames[last]; f != nil && f.ib && f.group != nil {
			if f.hash == k.hash {
				for _, s := range k.spans {
					f.place(f.payload+s.at, s.is)
				}
			}
			continue
		}
		for _, t := range l.segments[last] {
			if t.hash != k.hash {
				continue
			}
			for _, s := range k.spans {
				within(t.pieces, s.at, len(s.is), func(at int, p flow.Place) {
					x.noteKnown(p.Ref, p.Offset, s.is[at:at+p.Length])
				})
			}
		}
	}
	l.parts, l.segments, l.moved, l.late = nil, nil, nil, nil
}
