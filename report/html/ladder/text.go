package ladder

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A line is steps that are shown as one.
type line struct {
	first, last *Step
	frames      int
	bytes       int64
	chunk       int
	hidden      int // frames before it that are not shown
	of          owner
	bad         string
}

// stepOf is a line of a ladder for the page.
func stepOf(x *line, w *Request, start int64, client flow.End) evidence.Step {
	s := x.first
	p := evidence.Step{
		Frame: s.frame, Frames: x.frames, ToClient: s.from != client, Kind: x.last.shown(),
		Chunk: x.chunk, Odd: s.note.String(), Hidden: x.hidden, Other: x.of.other, XID: x.of.xid, Bad: x.bad,
	}
	if s.time != 0 {
		p.Time = s.time - start
		p.Lasted = max(0, x.last.time-s.time)
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
func sentAs(s *Step, as string) string {
	if s.kind == kindSend || s.kind == kindSendInv {
		return as
	}
	return ""
}

// ends reports whether a Send or another message ends with a step.
func (s *Step) ends() bool {
	return s.position != rocev2.PositionFirst && s.position != rocev2.PositionMiddle
}

// appendText appends what a line does.
func (x *line) appendText(b []byte, w *Request, as string) []byte {
	s := x.last
	switch s.kind {
	case kindSend, kindSendInv:
		return x.appendSend(b, w, as)
	case kindWrite:
		b = x.appendData(append(b, "RDMA Write, "...))
		return x.appendMemory(b, " to ")
	case kindReadRequest:
		b = words.AppendCount(append(b, "RDMA Read request for "...), x.bytes, "byte")
		return x.appendMemory(b, " at ")
	case kindReadData:
		return x.appendData(append(b, "RDMA Read response, "...))
	case kindACK:
		return x.appendACK(b)
	case kindTCP:
		b = append(b, "TCP"...)
		if s.flags != 0 {
			b = s.flags.AppendTo(append(b, ' '))
		}
		if x.bytes > 0 {
			return x.appendData(append(b, ", "...))
		}
		if s.flags == 0 {
			b = append(b, " acknowledgement"...)
		}
		return b
	case kindAtomic:
		return x.appendMemory(append(b, "atomic operation"...), " on ")
	}
	if s.more != nil && s.more.text != "" {
		return append(b, s.more.text...)
	}
	return append(b, "another packet"...)
}

// appendSend appends a Send, and what message it is.
func (x *line) appendSend(b []byte, w *Request, as string) []byte {
	s := x.last
	b = append(b, "Send"...)
	if s.kind == kindSendInv {
		b = words.AppendHandle(append(b, " with Invalidate of "...), s.handle)
	}
	b = append(b, ", "...)
	m := &s.message
	if !m.known {
		b = words.AppendCount(b, x.bytes, "byte")
		if !s.ends() {
			b = append(b, ", not its end"...)
		}
		return b
	}
	switch {
	case as != "":
		b = append(append(b, as...), ' ')
	case m.role == dissect.RoleCall:
		b = append(b, "call "...)
	case m.role == dissect.RoleAnswer:
		b = append(b, "reply "...)
	}
	b = words.AppendHandle(b, m.xid)
	switch {
	case as != "" && w.named:
		b = append(append(b, ' '), w.name...) // which names the operation of a COMPOUND
	case s.more != nil && s.more.name != "":
		b = append(append(b, ' '), s.more.name...)
	}
	if as == "reply" && w.named {
		b = append(append(b, ", "...), w.status...)
	}
	h := rpcrdma.Header{Version: rpcrdma.Version1, Proc: rpcrdma.Proc(m.proc)}
	if m.version2 {
		h.Version = rpcrdma.Version2
	}
	b = append(append(append(b, ", "...), h.ProcName()...), ", "...)
	b = words.AppendCount(b, int64(m.length), "byte")
	return words.AppendCount(append(b, ", "...), int64(m.credits), "credit")
}

// appendData appends how many bytes, and in how many frames.
func (x *line) appendData(b []byte) []byte {
	b = words.AppendCount(b, x.bytes, "byte")
	if x.frames > 1 {
		b = append(b, " in "...)
		b = words.AppendCount(b, int64(x.frames), "frame")
	}
	return b
}

// appendMemory appends the memory at which a line begins, after a word. It is not
// known, and 0, where the packet that begins the operation was lost.
func (x *line) appendMemory(b []byte, word string) []byte {
	if x.first.handle == 0 && x.first.offset == 0 {
		return b
	}
	b = words.AppendHandle(append(b, word...), x.first.handle)
	return words.AppendOffset(append(b, ", offset "...), x.first.offset)
}

// appendACK appends an acknowledgement, positive or negative.
func (x *line) appendACK(b []byte) []byte {
	s := x.last
	if s.syndrome.IsACK() {
		b = append(b, "ACK"...)
		if x.frames > 1 {
			b = words.AppendCount(append(b, ", "...), int64(x.frames), "frame")
		}
		return strconv.AppendUint(append(b, " up to PSN "...), uint64(s.psn), 10)
	}
	b = append(b, s.syndrome.String()...)
	return strconv.AppendUint(append(b, ", PSN "...), uint64(s.psn), 10)
}
