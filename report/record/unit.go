package record

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/words"
)

// units appends the MPA frames and FPDUs that a frame brings.
func units(b *buffer, name string, v *dissect.FrameView) {
	b.list(name)
	for i := range v.Verdict.Units {
		b.object("")
		u := &v.Verdict.Units[i]
		unit(b, u)
		if !words.Completes(v, u) {
			b.int("frame", u.Last.Number)
		}
		b.Close('}')
	}
	b.Close(']')
}

// unit appends an MPA frame or an FPDU.
func unit(b *buffer, u *flow.Unit) {
	if u.IsStart {
		start(b, &u.Start)
		return
	}
	f, p := &u.FPDU, &u.PDU
	b.str("kind", "fpdu")
	b.textFrom("opcode", func(dst []byte) []byte { return words.AppendUnitName(dst, u) })
	b.textFrom("summary", func(dst []byte) []byte { return iwarp.AppendPDUSummary(dst, p) })
	b.int("ulpdu_length", int64(f.ULPDULength))
	switch whole := p.PayloadStart > 0 && len(p.Bytes) >= p.PayloadStart; {
	case whole && p.Tagged:
		b.bool("last", p.Last)
		b.handle("stag", p.STag)
		b.hex("to", p.TO, 16)
	case whole:
		b.bool("last", p.Last)
		b.uint("qn", uint64(p.QN))
		b.uint("msn", uint64(p.MSN))
		b.uint("mo", uint64(p.MO))
	}
	if p.OpCode.Invalidates() {
		b.handle("invalidated", p.Invalidate)
	}
	b.int("payload_length", int64(p.PayloadLength()))
	if r, ok := p.ReadRequest(); ok {
		b.object("read_request")
		b.handle("sink_stag", r.SinkSTag)
		b.hex("sink_to", r.SinkTO, 16)
		b.uint("size", uint64(r.Size))
		b.handle("source_stag", r.SourceSTag)
		b.hex("source_to", r.SourceTO, 16)
		b.Close('}')
	}
	b.str("crc", f.CRCState.String())
	b.int("markers", int64(f.Markers()))
	b.strOrNull("malformed", words.UnitFault(u))
}

// start appends an MPA Request or Reply.
func start(b *buffer, s *iwarp.Start) {
	kind := "mpa_request"
	if s.Reply {
		kind = "mpa_reply"
	}
	b.str("kind", kind)
	b.textFrom("summary", func(dst []byte) []byte { return iwarp.AppendStartSummary(dst, s) })
	b.uint("revision", uint64(s.Revision))
	b.bool("markers", s.Markers)
	b.bool("crc", s.CRC)
	b.bool("reject", s.Reject)
	b.bool("enhanced", s.Enhanced)
	if s.HasDepths {
		b.bool("peer_to_peer", s.PeerToPeer)
		b.uint("ird", uint64(s.IRD))
		b.uint("ord", uint64(s.ORD))
	}
	b.strOrNull("malformed", s.Fault.String())
}
