package catalogue_test

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Offsets in a transport header of RPC-over-RDMA version 1, in bytes (RFC 8166,
// section 4): the low bytes of its words.
const (
	xid     = 3
	version = 7
	granted = 11
	proc    = 15
	lists   = 16 // the first word of the Read list
)

func mutations() []mutation {
	return []mutation{
		// Transport headers.
		{"rxe-basic", "a reply's version is 3", byteOf(reply, version), set(3), "HDR-002a"},
		{"rxe-basic", "a call's version is 3", byteOf(call, version), set(3), "HDR-002a"},
		{"siw-basic", "a call's version is 3", byteOf(call, version), set(3), "HDR-002a"},
		{"rxe-basic", "a call's procedure is 9", byteOf(call, proc), set(9), "HDR-003a"},
		{"rxe-basic", "the Read list begins with 2", byteOf(inline, lists+3), set(2), "HDR-003b"},
		{"siw-basic", "the Read list begins with 2", byteOf(inline, lists+3), set(2), "HDR-003b"},
		{"rxe-basic", "a call has another XID inside", byteOf(inline, 28+3), xor(0x80), "HDR-004"},
		{"rxe-basic", "an inline call says RDMA_NOMSG", byteOf(inline, proc), set(1), "HDR-005b"},
		{"rxe-basic", "a read chunk moves to Position 0", nth(1, writes, lists+7), set(0), "HDR-007"},
		{"rxe-basic", "a reply has another handle", byteOf(readReply, 28+3), xor(0x80), "HDR-010c"},
		{"siw-basic", "a reply has another handle", byteOf(readReply, 28+3), xor(0x80), "HDR-010c"},
		{"rxe-basic", "a reply says that more was written than fits", byteOf(readReply, 32), set(0x7f), "HDR-010d"},
		{"rxe-basic", "a call says RDMA_MSGP", byteOf(inline, proc), set(2), "HDR-011a"},
		{"rxe-basic", "a call says RDMA_DONE", byteOf(inline, proc), set(3), "HDR-011b"},

		// Chunks.
		{"rxe-basic", "a Position that is not a multiple of 4", nth(1, writes, lists+7), xor(2), "DDP-005a"},
		{"rxe-basic", "a Position far behind the message", nth(1, writes, lists+4), set(0x10), "DDP-005b"},
		{"rxe-basic", "a Read chunk four bytes longer", nth(1, writes, lists+15), add(4), "DDP-007b"},
		{"rxe-basic", "a Write chunk comes back longer than the data", byteOf(readReply, 35), add(4), "DDP-011a"},
		{"rxe-basic", "an RDMA Write one page further", header(dissect.AccessWrite, 6), xor(0x10), "DDP-014"},
		{"rxe-basic", "an RDMA Write by another R_key", header(dissect.AccessWrite, 8), xor(0x5a), "DDP-015"},
		{"rxe-basic", "an RDMA Read by another R_key", header(dissect.AccessRead, 8), xor(0x5a), "DDP-015"},

		// Credits.
		{"rxe-basic", "a reply grants nothing", byteOf(reply, granted), set(0), "CREDIT-003a"},
		{"siw-basic", "a reply grants nothing", byteOf(reply, granted), set(0), "CREDIT-003a"},
		{"rxe-basic", "a call asks for nothing", byteOf(call, granted), set(0), "CREDIT-003b"},

		// RPC.
		{"rxe-basic", "GARBAGE_ARGS", byteOf(accepted, 28+23), set(4), "RPC-005"},
		{"siw-basic", "GARBAGE_ARGS", byteOf(accepted, 28+23), set(4), "RPC-005"},
		{"rxe-basic", "SYSTEM_ERR", byteOf(accepted, 28+23), set(5), "RPC-006"},
		{"rxe-basic", "rpcvers 3", byteOf(inline, 28+11), set(3), "RPC-006b"},

		// Invalidation and setup.
		{"rxe-basic", "the IETH names another R_key", frame(invalidates, 12), xor(0x5a), "INV-002"},
		{"rxe-basic", "private data of another version", private(4), set(2), "CM-001b"},
		{"rxe-basic", "a reserved flag", private(5), xor(0x80), "CM-002"},
		{"siw-basic", "a reserved flag", private(5), xor(0x80), "CM-002"},

		// The transport.
		{"rxe-basic", "a NAK for an ACK", frame(acknowledges, 12), set(0x62), "TRANS-004"},
		{"rxe-basic", "an invalid request", frame(acknowledges, 12), set(0x61), "TRANS-005"},
		{"rxe-basic", "an RNR NAK", frame(acknowledges, 12), set(0x2e), "TRANS-003"},
		{"rxe-basic", "TVer 1", frame(sendOnly, 1), xor(1), "TRANS-007"},
		{"rxe-basic", "a Send of the UC service", frame(sendOnly, 0), xor(0x20), "TRANS-007c"},
		{"siw-basic", "DDP version 0", fpdu(2), xor(1), "TRANS-013a"},
	}
}

func set(v byte) func(byte) byte { return func(byte) byte { return v } }
func xor(v byte) func(byte) byte { return func(was byte) byte { return was ^ v } }
func add(v byte) func(byte) byte { return func(was byte) byte { return was + v } }

// byteOf is one of the Send of the fifth message of a kind, so that nothing is
// special about it.
func byteOf(pick func(m *dissect.Message) bool, offset int) finder { return nth(5, pick, offset) }

// nth is one of the Send of the n-th message of a kind.
func nth(want int, pick func(m *dissect.Message) bool, offset int) finder {
	n := 0
	return func(s *spy) (p flow.Place, ok bool) {
		if s.message == nil || !pick(s.message) {
			return p, false
		}
		if n++; n != want {
			return p, false
		}
		places := s.message.Place(nil, offset, 1)
		if len(places) != 1 {
			return p, false
		}
		return places[0], true
	}
}

func msg(m *dissect.Message) bool    { return m.Header.Proc == rpcrdma.RDMAMsg && m.HasRPC }
func call(m *dissect.Message) bool   { return msg(m) && !m.Answer && m.ToServer() }
func reply(m *dissect.Message) bool  { return msg(m) && m.Answer && !m.ToServer() }
func inline(m *dissect.Message) bool { return call(m) && m.Header.Length == 28 }
func writes(m *dissect.Message) bool {
	return call(m) && len(m.Header.Reads) > 0 && m.CallHeader.Version == 3
}

func accepted(m *dissect.Message) bool {
	h := &m.ReplyHeader
	return reply(m) && m.Header.Length == 28 && !h.Denied && h.Accept == rpc.Success && h.VerfFlavor == rpc.AuthNone && h.Length == 24
}

// readReply is one whose Write chunk has one segment, which was used.
func readReply(m *dissect.Message) bool {
	h := &m.Header
	return reply(m) && len(h.Writes) == 1 && h.Writes[0].Count == 1 && h.Segments[0].Length > 0
}

// header is a byte of the header that names the memory, of the fifth operation.
func header(kind dissect.AccessKind, offset int) finder {
	n := 0
	return func(s *spy) (p flow.Place, ok bool) {
		if s.access == nil || s.access.Kind != kind || !s.access.First || s.access.RPC == nil {
			return p, false
		}
		if n++; n != 5 {
			return p, false
		}
		p = s.access.Place
		p.Offset += offset
		return p, true
	}
}

// frame is a byte of the fifth packet of a kind, from its BTH on.
func frame(pick func(ib *rocev2.Packet) bool, offset int) finder {
	n := 0
	return func(s *spy) (p flow.Place, ok bool) {
		v := s.frame
		if v == nil || v.IB == nil || v.Connection == nil || !v.Connection.RPCRDMA() || !pick(v.IB) {
			return p, false
		}
		if n++; n != 5 {
			return p, false
		}
		return flow.Place{Ref: rules.Ref(v), Offset: v.Link.Start() + offset, Length: 1}, true
	}
}

func sendOnly(ib *rocev2.Packet) bool     { return ib.OpCode == rocev2.OpRCSendOnly }
func invalidates(ib *rocev2.Packet) bool  { return ib.IETH() != 0 }
func acknowledges(ib *rocev2.Packet) bool { return ib.OpCode == rocev2.OpRCAcknowledge }

// fpdu is a byte of the fiftieth FPDU that stands alone in its frame.
func fpdu(offset int) finder {
	n := 0
	return func(s *spy) (p flow.Place, ok bool) {
		v := s.frame
		if v == nil || v.IB != nil || len(v.Verdict.Units) != 1 || v.Verdict.Units[0].IsStart || v.Verdict.Units[0].At != 0 {
			return p, false
		}
		if n++; n != 50 {
			return p, false
		}
		return flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + offset, Length: 1}, true
	}
}

// private is a byte of the client's RFC 8797 private data.
func private(offset int) finder {
	return func(s *spy) (p flow.Place, ok bool) {
		if s.frame == nil {
			return p, false
		}
		data := s.frame.Frame.Data
		for i := 0; i+8 <= len(data); i++ {
			if string(data[i:i+4]) == rpcrdma.PrivateDataFormat {
				return flow.Place{Ref: s.frame.Ref(), Offset: i + offset, Length: 1}, true
			}
		}
		return p, false
	}
}
