package build

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// FPDUs of siw-basic and siw-perftest (by Linux 6.1), whole or their front, made
// again.
func TestSiwFPDUs(t *testing.T) {
	ddp := Tagged{OpCode: RDMAPReadResponse, Last: true, STag: 0x56a22400, TO: 0x55dc46a77170}.Bytes()
	for _, test := range []struct {
		name  string
		ulpdu []byte

		want string
	}{
		{"RDMA Read Request, frame 168", Untagged{OpCode: RDMAPReadRequest, Last: true, QN: 1, MSN: 1, Payload: ReadRequest{
			SinkSTag: 0x9847a401, SinkTO: 0xff291a66827a7000, Size: 0x40000, SourceSTag: 0xf4398102, SourceTO: 0x6a1aad1183d7a000,
		}.Bytes()}.Bytes(),
			"002e4141000000000000000100000001000000009847a401ff291a66827a700000040000f43981026a1aad1183d7a00000000000"},
		{"RDMA Write, frame 108", Tagged{OpCode: RDMAPWrite, Last: true, STag: 0xf4398101, TO: 0x581aad11856de800,
			Payload: check.Hex(t, `581aad1100000001000000000000000000000000000000000000000000000001
			00000002000003ff000000030000000000000000000000000000003c00000000000000000000000000000000000000000000000000000000
			000000016b00f6cb2726180f6b00f6cc37d68e3b6b00f6cc37d68e3b0000000c00000000000000000000000000000000`)}.Bytes(),
			`0096c140f4398101581aad11856de800581aad110000000100000000000000000000000000000000000000000000000100000002
			000003ff000000030000000000000000000000000000003c00000000000000000000000000000000000000000000000000000000
			000000016b00f6cb2726180f6b00f6cc37d68e3b6b00f6cc37d68e3b0000000c0000000000000000000000000000000000000000`},
		{"Terminate of siw-perftest", Untagged{OpCode: RDMAPTerminate, Last: true, QN: 2, MSN: 1, Payload: Termination{
			Layer: 1, EType: 1, ECode: 1, DDP: ddp, SegmentLength: 200, LittleEndian: true}.Bytes()}.Bytes(),
			"00264147000000000000000200000001000000001101030000c8c14256a22400000055dc46a7717000000000"},
	} {
		var s MPAStream
		same(t, test.name, s.FPDU(test.ulpdu), check.Hex(t, test.want))
	}
}

func TestDDP(t *testing.T) {
	for _, test := range []struct {
		name string
		got  []byte
		want string
	}{
		{"a segment in the middle of a Send with Invalidate", Untagged{OpCode: RDMAPSendInvalidate, Invalidate: 0xf4398102, MSN: 0x1b, MO: 1424, Payload: []byte{9}}.Bytes(),
			"01 44 f4398102 00000000 0000001b 00000590 09"},
		{"Write, not the last", Tagged{OpCode: RDMAPWrite, STag: 1, TO: 2}.Bytes(), "81 40 00000001 0000000000000002"},
		{"the rest of the opcode's byte is not touched", Tagged{OpCode: 0xff}.Bytes(), "81 4f 00000000 0000000000000000"},
		{"Terminate with nothing", Termination{Layer: 2, EType: 0, ECode: 2}.Bytes(), "20 02 00 00"},
		{"Terminate of a Send", Termination{Layer: 1, EType: 2, ECode: 5, SegmentLength: 100, DDP: make([]byte, 18)}.Bytes(),
			"12 05 c0 00 0064 000000000000000000000000000000000000"},
		{"Terminate of an RDMA Read", Termination{EType: 1, DDP: make([]byte, 18), SegmentLength: 46, RDMAP: ReadRequest{Size: 3}.Bytes()}.Bytes(),
			"01 00 e0 00 002e 000000000000000000000000000000000000 00000000 0000000000000000 00000003 00000000 0000000000000000"},
		{"as siw, all bits", Termination{Layer: 1, EType: 2, DDP: []byte{}, RDMAP: []byte{}, LittleEndian: true}.Bytes(), "21 00 07 00 0000"},
		{"Atomic Request", AtomicRequest{OpCode: AtomicCmpSwap, Identifier: 1, STag: 2, TO: 3, AddSwap: 4, AddSwapMask: 5, Compare: 6, CompareMask: 7}.Bytes(),
			"00000002 00000001 00000002 0000000000000003 0000000000000004 0000000000000005 0000000000000006 0000000000000007"},
	} {
		same(t, test.name, test.got, check.Hex(t, test.want))
	}
}
