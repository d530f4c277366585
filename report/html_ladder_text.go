package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/rocev2"
)

// stepOf is a line of a ladder for the page.
func (h *HTML) stepOf(x *line, w *ladderWish, start int64) page.Step {
	s := x.first
	p := page.Step{
		Frame: frameOf(s.frame), Frames: x.frames, ToClient: !w.conn.ToServer(s.from), Kind: x.last.stepKind(),
		Octets: x.octets, Chunk: x.chunk, Odd: s.note.String(), Hidden: x.hidden, Bad: x.bad,
	}
	if s.time != 0 {
		p.Time = s.time - start
		p.Lasted = max(0, x.last.time-s.time)
	}
	if s.kind == trailACK {
		p.Octets = 0
	}
	switch x.last.frame {
	case w.call:
		p.Message = sentAs(x.last, "call")
	case w.reply:
		p.Message = sentAs(x.last, "reply")
	}
	p.Text = string(x.appendText(nil, w, p.Message))
	return p
}

// sentAs is what a step is to an RPC, if it is a Send.
func sentAs(s *step, as string) string {
	if s.kind == trailSend || s.kind == trailSendInv {
		return as
	}
	return ""
}

// ends reports whether a Send or another message ends with a step.
func (s *step) ends() bool {
	return s.position != rocev2.PositionFirst && s.position != rocev2.PositionMiddle
}

// appendText appends what a line does.
func (x *line) appendText(b []byte, w *ladderWish, as string) []byte {
	s := x.last
	switch s.kind {
	case trailSend, trailSendInv:
		return x.appendSend(b, w, as)
	case trailWrite:
		b = x.appendData(append(b, "RDMA Write, "...))
		return x.appendMemory(b, " to ")
	case trailReadRequest:
		b = appendCount(append(b, "RDMA Read request for "...), x.octets, "octet")
		return x.appendMemory(b, " at ")
	case trailReadData:
		return x.appendData(append(b, "RDMA Read response, "...))
	case trailACK:
		return x.appendACK(b)
	case trailTCP:
		b = append(b, "TCP"...)
		if s.flags != 0 {
			b = s.flags.AppendTo(append(b, ' '))
		}
		if x.octets > 0 {
			return x.appendData(append(b, ", "...))
		}
		if s.flags == 0 {
			b = append(b, " acknowledgement"...)
		}
		return b
	case trailAtomic:
		return x.appendMemory(append(b, "atomic operation"...), " on ")
	}
	if s.text != "" {
		return append(b, s.text...)
	}
	return append(b, "another packet"...)
}

// appendSend appends a Send, and what message it is.
func (x *line) appendSend(b []byte, w *ladderWish, as string) []byte {
	s := x.last
	b = append(b, "Send"...)
	if s.kind == trailSendInv {
		b = appendHandle(append(b, " with Invalidate of "...), s.handle)
	}
	b = append(b, ", "...)
	m := &s.message
	if !m.known {
		b = appendCount(b, x.octets, "octet")
		if !s.ends() {
			b = append(b, ", not its end"...)
		}
		return b
	}
	switch {
	case as == "call" && w.named:
		b = append(append(append(b, "call "...), w.name...), ' ')
	case as == "reply" && w.named:
		b = append(append(append(b, "reply "...), w.status...), ' ')
	case m.role == dissect.RoleCall:
		b = append(b, "call "...)
	case m.role == dissect.RoleAnswer:
		b = append(b, "reply "...)
	}
	b = appendHandle(b, m.xid)
	h := rpcrdma.Header{Version: rpcrdma.Version1, Proc: rpcrdma.Proc(m.proc)}
	if m.version2 {
		h.Version = rpcrdma.Version2
	}
	b = append(append(append(b, ", "...), h.ProcName()...), ", "...)
	b = appendCount(b, int64(m.length), "octet")
	return appendCount(append(b, ", "...), int64(m.credits), "credit")
}

// appendData appends how many octets, and in how many frames.
func (x *line) appendData(b []byte) []byte {
	b = appendCount(b, x.octets, "octet")
	if x.frames > 1 {
		b = append(b, " in "...)
		b = appendCount(b, int64(x.frames), "frame")
	}
	return b
}

// appendMemory appends the memory at which a line begins, behind a word. It is not
// known, and 0, where the packet that begins the operation was lost.
func (x *line) appendMemory(b []byte, word string) []byte {
	if x.first.handle == 0 && x.first.offset == 0 {
		return b
	}
	b = appendHandle(append(b, word...), x.first.handle)
	return appendOffset(append(b, ", offset "...), x.first.offset)
}

// appendACK appends an acknowledgement, positive or negative.
func (x *line) appendACK(b []byte) []byte {
	s := x.last
	if s.syndrome.IsACK() {
		b = append(b, "ACK"...)
		if x.frames > 1 {
			b = appendCount(append(b, ", "...), int64(x.frames), "frame")
		}
		return strconv.AppendUint(append(b, " up to PSN "...), uint64(s.psn), 10)
	}
	b = append(b, s.syndrome.String()...)
	return strconv.AppendUint(append(b, ", PSN "...), uint64(s.psn), 10)
}

// chunksOf are the chunks that the call of an RPC advertised.
func chunksOf(r *dissect.RPC) (list []page.Chunk) {
	var last *rpcrdma.Region
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if last == nil || g.Purpose != last.Purpose || g.Chunk != last.Chunk {
			kind := [...]string{rpcrdma.ForRead: "read", rpcrdma.ForWrite: "write", rpcrdma.ForReply: "reply"}[g.Purpose]
			list = append(list, page.Chunk{Kind: kind, Label: g.ChunkName(), Step: -1})
		}
		last = g
		c := &list[len(list)-1]
		c.Segments = append(c.Segments, page.Segment{Handle: g.Handle, Offset: g.Offset, Length: g.Length, Moved: g.Seen.Len()})
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
