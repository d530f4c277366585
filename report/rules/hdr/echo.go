package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An echo compares the chunks of a reply with those of its call.
type echo struct {
	c               *rules.Conn
	say             rules.Reporter
	r               *dissect.RPC
	asked, returned *rpcrdma.Header
}

// someOf is "no segment", "1 segment" or "2 segments".
func someOf(n int, noun string) string {
	if n == 0 {
		return "no " + noun
	}
	return field.Counted(n, noun)
}

// writes compares the Write lists.
func (e *echo) writes() {
	n, got := len(e.asked.Writes), len(e.returned.Writes)
	if n != got {
		letter := "a"
		if n == 0 {
			letter = "f"
		}
		if f := e.findingOf(letter); f != nil {
			f.Messagef("the call offers %s, but the reply returns %s", someOf(n, "Write chunk"), someOf(got, "Write chunk"))
			f.See("Write chunks", got, n).Word(e.r.Reply, e.returned.WriteAt(0))
		}
		return
	}
	for i := range e.asked.Writes {
		// One without segments is ULB-004's.
		if e.returned.Writes[i].Count > 0 {
			e.chunk(e.asked.Writes[i], e.returned.Writes[i], e.returned.WriteCountAt(i), "Write chunk")
		}
	}
}

// replyChunk compares the Reply chunks. Those of an RDMA_NOMSG reply that are
// missing, or were not offered, are HDR-006's.
func (e *echo) replyChunk() {
	letter, text := "", ""
	switch {
	case e.asked.HasReply && e.returned.HasReply:
		e.chunk(e.asked.Reply, e.returned.Reply, e.returned.ReplyCountAt(), "Reply chunk")
		return
	case e.asked.HasReply == e.returned.HasReply || e.returned.Proc == rpcrdma.RDMANoMsg:
		return
	case e.asked.HasReply:
		letter, text = "e", "the call offers a Reply chunk, but the reply does not return it"
	default:
		letter, text = "f", "the reply returns a Reply chunk, but the call offered none"
	}
	if f := e.findingOf(letter); f != nil {
		f.Messagef("%s", text)
		f.See("Reply chunk", e.returned.HasReply, e.asked.HasReply).Word(e.r.Reply, e.returned.ReplyAt())
	}
}

// chunk compares two chunks, of which the returned one has its count at a byte.
func (e *echo) chunk(asked, returned rpcrdma.Chunk, at int, what string) {
	m := e.r.Reply
	if asked.Count != returned.Count {
		if f := e.findingOf("b"); f != nil {
			f.Messagef("the call offers a %s with %s, but the reply returns it with %s", what, someOf(asked.Count, "segment"), someOf(returned.Count, "segment"))
			f.See("segments", returned.Count, asked.Count).Word(m, at)
		}
		return
	}
	offered := e.asked.ChunkSegments(asked)
	for i, s := range e.returned.ChunkSegments(returned) {
		o, at := offered[i], at+xdr.WordSize+i*rpcrdma.SegmentSize
		switch {
		case s.Handle != o.Handle || s.Offset != o.Offset:
			if e.ofAnother() {
				continue
			}
			if f := e.findingOf("c"); f != nil {
				f.Messagef("segment %d of the %s was offered as %v, but returned as %v", i+1, what, o, s)
				if s.Handle != o.Handle {
					f.See("handle", rules.Handle(s.Handle), rules.Handle(o.Handle))
				}
				if s.Offset != o.Offset {
					f.See("offset", rules.Offset(s.Offset), rules.Offset(o.Offset))
				}
				f.In(m, at, rpcrdma.SegmentSize)
			}
		case s.Length > o.Length:
			if f := e.findingOf("d"); f != nil {
				f.Messagef("segment %d of the %s has room for %d bytes, but the reply returns %d", i+1, what, o.Length, s.Length)
				f.See("length", s.Length, o.Length).Word(m, at+rpcrdma.SegmentLength)
			}
		}
	}
}

// doubt is why another call with the XID, sent before or after this one and not in the
// capture, may have had the chunks of the reply.
func (e *echo) doubt() string {
	if e.c.BeganLate() {
		return finding.DoubtLate
	}
	return e.c.DoubtOf(e.r.Requester, e.r.Call.Frame())
}

// ofAnother reports whether other memory is as well explained by a call with the XID that is
// not in the capture: sent again it has as many chunks, as long, but not the same. It is
// not if the responder wrote to the memory of this one, or if what is missing is known.
func (e *echo) ofAnother() bool {
	call := e.r.Call.Frame()
	return e.r.Offer.WriteBytes == 0 && (e.c.LostOf(e.r.Requester, call) || e.c.LostNear(e.r.Requester, call)) && !e.c.Accounted(e.r.Requester, 0)
}

// findingOf begins a finding about the reply that also shows the call.
func (e *echo) findingOf(letter string) *rules.Finding {
	f := e.say.Part(letter, e.r, e.r.Reply, e.doubt())
	if f != nil {
		f.With(e.r.Call.Frames...)
	}
	return f
}
