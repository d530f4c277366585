package layers

import (
	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An example is a ULPDU with one kind of RDMAP message.
type example struct {
	name  string
	ulpdu []byte
	last  gopacket.LayerType // the layer after the DDP header
}

// examples are one of each opcode, and what goes with them.
func examples() []example {
	header := build.Untagged{OpCode: build.RDMAPSend, Last: true, QN: 0, MSN: 7}.Bytes()
	tagged := build.Tagged{OpCode: build.RDMAPReadResponse, Last: true, STag: 5, TO: 6}.Bytes()
	read := build.ReadRequest{SinkSTag: 1, SinkTO: 2 << 40, Size: 3, SourceSTag: 4, SourceTO: 5 << 40}
	terminate := func(term build.Termination) []byte {
		return build.Untagged{OpCode: build.RDMAPTerminate, Last: true, QN: build.QueueTerminate, MSN: 1, Payload: term.Bytes()}.Bytes()
	}
	send := func(op uint8, invalidate uint32) []byte {
		return build.Untagged{OpCode: op, Last: true, Invalidate: invalidate, MSN: 0xA0B0C0D0, MO: 0x100, Payload: []byte("octets")}.Bytes()
	}
	immediate := func(op uint8) []byte {
		return build.Untagged{OpCode: op, Last: true, MSN: 9, Payload: []byte{1, 2, 3, 4, 5, 6, 7, 8}}.Bytes()
	}
	atomic := build.AtomicRequest{OpCode: build.AtomicCmpSwap, Identifier: 1, STag: 2, TO: 3 << 40,
		AddSwap: 4 << 40, AddSwapMask: 5 << 40, Compare: 6 << 40, CompareMask: 7 << 40}
	return []example{
		{"Write", build.Tagged{OpCode: build.RDMAPWrite, STag: 0xABCD, TO: 1 << 50, Payload: []byte("some")}.Bytes(), gopacket.LayerTypePayload},
		{"Write of nothing", build.Tagged{OpCode: build.RDMAPWrite, Last: true, STag: 1}.Bytes(), LayerTypeDDP},
		{"Read Request", build.Untagged{OpCode: build.RDMAPReadRequest, Last: true, QN: build.QueueReadRequest, MSN: 3,
			Payload: read.Bytes()}.Bytes(), LayerTypeReadRequest},
		{"Read Response", build.Tagged{OpCode: build.RDMAPReadResponse, Last: true, STag: 2, TO: 3, Payload: []byte("o")}.Bytes(), gopacket.LayerTypePayload},
		{"Send", send(build.RDMAPSend, 0), gopacket.LayerTypePayload},
		{"Send with Invalidate", send(build.RDMAPSendInvalidate, 0x1234), gopacket.LayerTypePayload},
		{"Send with SE", send(build.RDMAPSendSE, 0), gopacket.LayerTypePayload},
		{"Send with SE and Invalidate", send(build.RDMAPSendSEInvalidate, 0x5678), gopacket.LayerTypePayload},
		{"Terminate", terminate(build.Termination{Layer: 2, ECode: 2}), LayerTypeTerminate},
		{"Terminate of a Send", terminate(build.Termination{Layer: 1, EType: 2, ECode: 5, SegmentLength: 99, DDP: header}), LayerTypeTerminate},
		{"Terminate of a Read", terminate(build.Termination{Layer: 0, EType: 1, ECode: 1, SegmentLength: 46, DDP: header, RDMAP: read.Bytes()}), LayerTypeTerminate},
		{"Terminate by siw", terminate(build.Termination{Layer: 1, EType: 1, ECode: 1, SegmentLength: 1, DDP: tagged, LittleEndian: true}), LayerTypeTerminate},
		{"Immediate", immediate(build.RDMAPImmediate), LayerTypeImmediate},
		{"Immediate with SE", immediate(build.RDMAPImmediateSE), LayerTypeImmediate},
		{"Atomic Request", build.Untagged{OpCode: build.RDMAPAtomicRequest, Last: true, QN: build.QueueReadRequest, MSN: 4,
			Payload: atomic.Bytes()}.Bytes(), LayerTypeAtomicRequest},
		{"Atomic Response", build.Untagged{OpCode: build.RDMAPAtomicResponse, Last: true, QN: build.QueueAtomicResponse, MSN: 4,
			Payload: []byte{0, 0, 0, 1, 8, 7, 6, 5, 4, 3, 2, 1}}.Bytes(), LayerTypeAtomicResponse},
	}
}

// types are the layers that an example's FPDU has.
func (e example) types() []gopacket.LayerType {
	if e.last == LayerTypeDDP {
		return []gopacket.LayerType{LayerTypeFPDU, LayerTypeDDP}
	}
	return []gopacket.LayerType{LayerTypeFPDU, LayerTypeDDP, e.last}
}

// run is the FPDUs of all examples, one after the other, and where each begins.
func run(crc bool) (b []byte, at []int) {
	stream := build.MPAStream{CRC: crc}
	for _, e := range examples() {
		at = append(at, len(b))
		b = append(b, stream.FPDU(e.ulpdu)...)
	}
	return b, append(at, len(b))
}
