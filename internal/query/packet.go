package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/rocev2"
)

// The members below are in the record of a frame beside the fields of its headers, of which
// filters ask by the names of the tables: a record has one of each, and reads it from the
// decoded packet. TestPacketMembersAreFields holds that both say the same.

// addPacket adds what records have of the headers of a packet.
func addPacket(l *list[*dissect.FrameView]) {
	l.where(func(v *dissect.FrameView) bool { return v.IB == nil && !v.IWARP() }, func() {
		l.string(Member{Name: "protocol", Asked: "frame.protocol", Doc: "protocol of a frame that is not RDMA"},
			func(v *dissect.FrameView) string { return v.Link.Protocol() })
	})
	l.where(func(v *dissect.FrameView) bool { return v.IB != nil }, func() {
		addBTH(l)
		addExtended(l)
		addICRC(l)
	})
}

// addExtended adds the headers after the BTH.
func addExtended(l *list[*dissect.FrameView]) {
	has := func(offset func(*rocev2.Packet) int) func(*dissect.FrameView) bool {
		return func(v *dissect.FrameView) bool { return offset(v.IB) != 0 }
	}
	l.where(has((*rocev2.Packet).RETH), func() {
		addMemory(l, "reth", "of a RETH")
		ofPacket(l, Member{Name: "dma_length", Asked: "reth.dmalen", Doc: "of a RETH"}, func(p *rocev2.Packet) uint64 { return uint64(p.DMALen()) })
	})
	l.where(has((*rocev2.Packet).Atomic), func() {
		addMemory(l, "atomiceth", "of an AtomicETH")
		ofPacket(l, Member{Name: "swap", Asked: "atomiceth.swapdt", Doc: "of an AtomicETH; FetchAdd adds it"}, (*rocev2.Packet).Swap).ofUnit(Offset)
		ofPacket(l, Member{Name: "compare", Asked: "atomiceth.cmpdt", Doc: "of an AtomicETH; FetchAdd does not use it"}, (*rocev2.Packet).Compare).ofUnit(Offset)
	})
	l.where(has((*rocev2.Packet).AETH), func() {
		l.string(Member{Name: "syndrome", Asked: "aeth.syndrome", Doc: "of an AETH"},
			func(v *dissect.FrameView) string { return v.IB.Syndrome().String() })
		ofPacket(l, Member{Name: "msn", Asked: "aeth.msn", Doc: "of an AETH"}, func(p *rocev2.Packet) uint64 { return uint64(p.MSN()) })
	})
	l.where(has((*rocev2.Packet).AtomicAck), func() {
		ofPacket(l, Member{Name: "original", Asked: "atomicacketh.origremdt", Doc: "of an AtomicAckETH: the value before the operation"}, (*rocev2.Packet).Original).ofUnit(Offset)
	})
	l.where(has((*rocev2.Packet).ImmDt), func() {
		ofPacket(l, Member{Name: "immediate", Asked: "immdt.immdt", Doc: "of an ImmDt"}, func(p *rocev2.Packet) uint64 { return uint64(p.Imm()) }).ofUnit(Handle)
	})
	l.where(has((*rocev2.Packet).IETH), func() {
		ofPacket(l, Member{Name: "invalidated", Asked: "ieth.rkey", Doc: "of an IETH"}, func(p *rocev2.Packet) uint64 { return uint64(p.InvRKey()) }).ofUnit(Handle)
	})
}

// ofPacket adds a number that every packet of a condition has.
func ofPacket(l *list[*dissect.FrameView], m Member, of func(*rocev2.Packet) uint64) *Field {
	return l.member(m, filter.Uint, func(v *dissect.FrameView) (uint64, bool) { return of(v.IB), true })
}

// addBTH adds what every packet has.
func addBTH(l *list[*dissect.FrameView]) {
	l.string(Member{Name: "transport", Asked: "frame.protocol", Doc: "`\"RoCEv2\"`, `\"RoCEv1\"`, `\"InfiniBand\"`; for iWARP see below"},
		func(v *dissect.FrameView) string { return v.Link.Transport.String() })
	l.string(Member{Name: "opcode", Asked: "rdma.opcode", Doc: "of the BTH"},
		func(v *dissect.FrameView) string { return v.IB.OpCode.String() })
	ofPacket(l, Member{Name: "dest_qpn", Asked: "bth.destqp", Doc: "of the BTH"}, func(p *rocev2.Packet) uint64 { return uint64(p.DestQP) })
	ofPacket(l, Member{Name: "psn", Asked: "bth.psn", Doc: "of the BTH"}, func(p *rocev2.Packet) uint64 { return uint64(p.PSN) })
	l.flag(Member{Name: "ack_request", Asked: "bth.ackreq", Doc: "of the BTH"}, func(v *dissect.FrameView) bool { return v.IB.AckReq() })
	l.count(Member{Name: "payload_length", Doc: "bytes without pad and ICRC"}, func(v *dissect.FrameView) int64 { return int64(v.IB.PayloadLength()) })
}

// addMemory adds the remote memory that a header names.
func addMemory(l *list[*dissect.FrameView], key, doc string) {
	ofPacket(l, Member{Name: "rkey", Asked: key + ".rkey", Doc: doc}, func(p *rocev2.Packet) uint64 { return uint64(p.RKey()) }).ofUnit(Handle)
	ofPacket(l, Member{Name: "va", Asked: key + ".va", Doc: doc}, (*rocev2.Packet).VA).ofUnit(Offset)
}

// addICRC adds what the check of the ICRC gave.
func addICRC(l *list[*dissect.FrameView]) {
	l.one(filter.Field{Name: "icrc.state", Kind: filter.Enum, Names: named(rocev2.ICRCRight, rocev2.ICRCWrong, rocev2.ICRCUnchecked),
		Doc: "result of the ICRC check; a truncated frame is not checked"},
		func(v *dissect.FrameView) (uint64, bool) {
			if v.IB == nil {
				return 0, false
			}
			return uint64(v.ICRC()), true
		}).spelled(func(v uint64) string { return rocev2.ICRCState(v).String() }).
		in(Member{Name: "icrc", Absent: LeftOut, Doc: "`\"right\"`, `\"wrong\"`, `\"unchecked\"` (truncated)"})
}

// addSegment adds what records have of iWARP, and of another TCP segment with data.
func addSegment(l *list[*dissect.FrameView]) {
	l.where((*dissect.FrameView).IWARP, func() {
		l.string(Member{Name: "transport", Asked: "frame.protocol", Doc: "`\"iWARP\"`"}, func(*dissect.FrameView) string { return "iWARP" })
	})
	l.where(isSegment, func() {
		l.count(Member{Name: "source_port", Asked: "tcp.srcport", Doc: "of TCP"}, func(v *dissect.FrameView) int64 { return int64(v.Link.SrcPort) })
		l.count(Member{Name: "destination_port", Asked: "tcp.dstport", Doc: "of TCP"}, func(v *dissect.FrameView) int64 { return int64(v.Link.DstPort) })
		l.count(Member{Name: "tcp_seq", Asked: "tcp.seq", Doc: "as in the header, not relative"}, func(v *dissect.FrameView) int64 { return int64(v.Link.TCP.Seq) })
		l.count(Member{Name: "tcp_ack", Asked: "tcp.ack", Doc: "the same"}, func(v *dissect.FrameView) int64 { return int64(v.Link.TCP.Ack) })
		l.structure(Member{Name: "tcp_flags", Type: "string", Doc: "names of the control bits that are set: `\"SYN, ACK\"`"})
		l.count(Member{Name: "payload_length", Doc: "bytes of the segment"}, func(v *dissect.FrameView) int64 { return int64(v.Link.End() - v.Link.TCPData()) })
		l.where((*dissect.FrameView).IWARP, func() {
			l.structure(Member{Name: "units", Type: "array", Doc: "the MPA frames and FPDUs whose last byte is in the frame, and those of earlier frames, also of the other direction, that can be decoded only now: these have `frame`, the number of the frame with their last byte"})
		})
	})
}

// isSegment reports whether a frame is a TCP segment whose data may be iWARP, or is.
func isSegment(v *dissect.FrameView) bool {
	return v.IWARP() || v.IB == nil && v.Link.TCPData() > 0 && v.Link.Protocol() == "TCP"
}
