package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

// geometry judges the segments by themselves.
func geometry(c *rules.Conn, report rules.Reporter, m *dissect.Message) {
	h := &m.Header
	sender := c.Sender(m.From)
	if m.Answer {
		if n := h.ChunkLength(h.Reply); h.HasReply && h.Proc == rpcrdma.RDMANoMsg && n%4 != 0 {
			if f := report.Message("e", m, ""); f != nil {
				f.Messagef("the %s's long reply has %d bytes; the length of an RPC message is a multiple of 4", sender, n)
				f.See("bytes returned", n, "a multiple of 4")
				f.Word(m, h.SegmentAt(h.Reply.First+h.Reply.Count-1)+rpcrdma.SegmentLength)
			}
		}
		return
	}
	if n, long := h.PositionZero(); long && n%4 != 0 {
		if f := report.Message("e", m, ""); f != nil {
			f.Messagef("the %s's Position-Zero Read chunk has %d bytes; the length of an RPC message is a multiple of 4", sender, n)
			f.See("bytes", n, "a multiple of 4")
			markLengths(f, m, 0)
		}
	}
	for i := range h.Reads {
		segment(report, m, h.Reads[i].Segment, sender, h.ReadSegmentAt(i))
	}
	for i, g := range h.Segments {
		if g.Length == 0 || wraps(g) {
			segment(report, m, g, sender, h.SegmentAt(i))
		}
	}
	if i, j := overlap(h.Segments); j > 0 {
		if f := report.Message("d", m, ""); f != nil {
			a, b := h.Segments[i], h.Segments[j]
			f.Messagef("the %s offered two segments to be written that overlap: %s and %s", sender, memory.BytesAt(a.Handle, a.Offset, uint64(a.Length)), memory.BytesAt(b.Handle, b.Offset, uint64(b.Length)))
			f.See("offset", rules.Offset(b.Offset), nil).In(m, h.SegmentAt(j), rpcrdma.SegmentSize)
		}
	}
}

// segment judges one segment, which stands at an offset of the Send.
func segment(report rules.Reporter, m *dissect.Message, g rpcrdma.Segment, sender string, at int) {
	switch {
	case g.Length == 0:
		if f := report.Message("c", m, ""); f != nil {
			f.Messagef("the %s advertised a segment of length zero (handle 0x%08x)", sender, g.Handle)
			f.See("length", 0, "at least 1").In(m, at, rpcrdma.SegmentSize)
		}
	case wraps(g):
		if f := report.Message("b", m, ""); f != nil {
			f.Messagef("the %s advertised %s, which wraps around the address space", sender, memory.BytesAt(g.Handle, g.Offset, uint64(g.Length)))
			f.See("offset", rules.Offset(g.Offset), "at most "+rules.Offset(-uint64(g.Length))).In(m, at, rpcrdma.SegmentSize)
		}
	}
}

// wraps reports whether a segment goes beyond the last byte of the address space.
func wraps(g rpcrdma.Segment) bool { return g.Offset+uint64(g.Length)-1 < g.Offset }

// overlap is the first pair of segments of one handle that have a byte in common;
// 0, 0 if there is none among the first of a list.
func overlap(list []rpcrdma.Segment) (i, j int) {
	const most = 256
	for j = 1; j < min(len(list), most); j++ {
		b := &list[j]
		for i = range j {
			if a := &list[i]; a.Handle == b.Handle && a.Offset < b.Offset+uint64(b.Length) && b.Offset < a.Offset+uint64(a.Length) && !wraps(*a) && !wraps(*b) {
				return i, j
			}
		}
	}
	return 0, 0
}
