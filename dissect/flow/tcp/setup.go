package tcp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// noteMPAFrame notes the side's MPA frame, of n bytes from position at of the stream.
func (s *direction) noteMPAFrame(c *flow.Conn, at uint64, n int) {
	refs, _, last, _ := s.framesOf(at, at+uint64(n))
	if len(refs) == 0 {
		return
	}
	m, t := &s.start, &c.Handshake.Declared[s.end]
	*t = flow.Declared{Captured: true, Whole: !m.Fault.Bad(), Frame: refs[len(refs)-1], Time: last, PrivateData: c.Ends[s.end].PrivateData, SYNs: s.syns, LastSYN: s.lastSYN}
	in := -1
	if t.Whole {
		in = s.inFrame(at, n)
	}
	if in >= 0 {
		from := m.PrivateDataOffset()
		t.Private = flow.Place{Ref: t.Frame, Offset: in + from, Length: len(m.Bytes) - from}
	}
	if m.HasDepths {
		t.Takes, t.Issues = depth(m.IRD, "ird", in), depth(m.ORD, "ord", in)
	}
	name := "MPA Request"
	if m.Reply {
		name = "MPA Reply"
		if m.Reject {
			name = "MPA Reply that rejects"
		}
	}
	c.Handshake.AddStep(flow.Step{Name: name, From: s.end, Frame: t.Frame, Time: t.Time}, m.Reply && m.Reject)
}

// depth is IRD or ORD of an MPA frame that begins at a byte of its frame, -1 if that
// is not known.
func depth(value uint16, key string, in int) (x flow.Term) {
	x.Value, x.Known = iwarp.Negotiated(value)
	if in >= 0 {
		offset, size := iwarp.DepthBytes(key)
		x.At, x.Bytes = uint32(in+offset), uint8(size)
	}
	return x
}

// closes notes a FIN or RST.
func (s *direction) closes(k *flow.Handshake, f *flow.Frame, note flow.Note) {
	name, unknown := "FIN", false
	switch flags := f.Link.TCP.Flags; {
	case flags&(link.FIN|link.RST) == 0 || note == flow.Duplicate:
		return
	case flags.Has(link.RST):
		name, unknown = "RST", !flags.Has(link.ACK)
	}
	k.AddStep(flow.Step{Name: name, From: s.end, Frame: f.Ref(), Time: f.Time, Again: note == flow.Retransmission, Unknown: unknown, Answers: name == "FIN" && s.hadFIN}, true)
}
