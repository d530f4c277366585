package iwarp

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// A pduVector is a ULPDU and what stands in it.
type pduVector struct {
	name   string
	hex    string
	length int // on the wire, if more than hex
	want   PDU // without Bytes
	line   string
}

func (v *pduVector) bytes(t testing.TB) []byte { return check.Hex(t, v.hex) }

func (v *pduVector) wire(t testing.TB) int { return max(v.length, len(v.bytes(t))) }

// pduVectors are DDP segments of Linux siw that carried NFS (the longer ones
// cut by hand), and of other RDMA traffic where it says so; siw has no Atomic
// Operations and no Immediate Data, so those are made up. The values are as
// tshark shows them, except for Immediate Data, which it does not know.
var pduVectors = []pduVector{
	{name: "Write", hex: "c140eae21022e21aad118534d029 000000",
		want: PDU{OpCode: OpWrite, Tagged: true, Last: true, STag: 0xEAE21022, TO: 0xE21AAD118534D029, PayloadStart: 14},
		line: "RDMA Write to STag 0xeae21022, TO 0xe21aad118534d029, 3 bytes"},
	{name: "Write, not the last", hex: "8140f4398103771aad1182d66000 8a82c0023356b5293c42", length: 1442,
		want: PDU{OpCode: OpWrite, Tagged: true, STag: 0xF4398103, TO: 0x771AAD1182D66000, PayloadStart: 14},
		line: "RDMA Write to STag 0xf4398103, TO 0x771aad1182d66000, 1428 bytes, not the last"},
	{name: "Read Request",
		hex:  "414100000000000000010000000100000000 9847a401ff291a66827a700000040000f43981026a1aad1183d7a000",
		want: PDU{OpCode: OpReadRequest, Last: true, QN: 1, MSN: 1, PayloadStart: 18},
		line: "RDMA Read Request MSN 1: 262144 bytes from STag 0xf4398102, TO 0x6a1aad1183d7a000 into STag 0x9847a401, TO 0xff291a66827a7000"},
	{name: "Read Response, not the last", hex: "81429847a401ff291a66827a7000 01e088e342b5ce094528", length: 1442,
		want: PDU{OpCode: OpReadResponse, Tagged: true, STag: 0x9847A401, TO: 0xFF291A66827A7000, PayloadStart: 14},
		line: "RDMA Read Response to STag 0x9847a401, TO 0xff291a66827a7000, 1428 bytes, not the last"},
	{name: "Read Response", hex: "c14256a22400000055dc46a77170 72646d612d70696e672d303a20", length: 214, // rping
		want: PDU{OpCode: OpReadResponse, Tagged: true, Last: true, STag: 0x56A22400, TO: 0x55DC46A77170, PayloadStart: 14},
		line: "RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170, 200 bytes"},
	{name: "Send", hex: "414300000000000000000000000400000000 3300", // perftest
		want: PDU{OpCode: OpSend, Last: true, MSN: 4, PayloadStart: 18},
		line: "Send MSN 4, 2 bytes"},
	{name: "Send, not the last", hex: "014300000000000000000000001800000000 671aad110000000100000080", length: 1442,
		want: PDU{OpCode: OpSend, MSN: 24, PayloadStart: 18},
		line: "Send MSN 24, 1424 bytes, not the last"},
	{name: "Send with Invalidate", hex: "4144c522a301000000000000001500000000 c44ccb2700000001000000400000000100000000" +
		"000000000000000100000001c522a30100000134c44ccb278574e000",
		want: PDU{OpCode: OpSendInvalidate, Last: true, Invalidate: 0xC522A301, MSN: 21, PayloadStart: 18},
		line: "Send with Invalidate MSN 21, invalidate STag 0xc522a301, 48 bytes"},
	{name: "Terminate", hex: "414700000000000000020000000100000000 11010300 00c8 c14256a22400000055dc46a77170", // rping
		want: PDU{OpCode: OpTerminate, Last: true, QN: 2, MSN: 1, PayloadStart: 18},
		line: "Terminate: DDP, Tagged Buffer Error: Base or bounds violation (bits in the order of a little-endian compiler, as Linux siw sends them); " +
			"RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170, DDP Segment Length 200"},
	{name: "Immediate Data", hex: "414800000000000000000000000900000000 5152535455565758",
		want: PDU{OpCode: OpImmediate, Last: true, MSN: 9, PayloadStart: 18},
		line: "Immediate Data MSN 9: 0x5152535455565758"},
	{name: "Immediate Data with SE", hex: "414900000000000000000000000a00000000 5152535455565759",
		want: PDU{OpCode: OpImmediateSE, Last: true, MSN: 10, PayloadStart: 18},
		line: "Immediate Data with Solicited Event MSN 10: 0x5152535455565759"},
	{name: "Atomic Request, CmpSwap", hex: "414a00000000000000010000000700000000 00000002 00000051 00000c82" +
		"1122334455667788 0102030405060708 1112131415161718 2122232425262728 3132333435363738",
		want: PDU{OpCode: OpAtomicRequest, Last: true, QN: 1, MSN: 7, PayloadStart: 18},
		line: "Atomic Request MSN 7: CmpSwap, request 81, at STag 0x00000c82, TO 0x1122334455667788"},
	{name: "Atomic Request, FetchAdd", hex: "414a00000000000000010000000800000000 00000000 00000052 00000c83" +
		"1122334455667789 0102030405060709 1112131415161719 2122232425262729 3132333435363739",
		want: PDU{OpCode: OpAtomicRequest, Last: true, QN: 1, MSN: 8, PayloadStart: 18},
		line: "Atomic Request MSN 8: FetchAdd, request 82, at STag 0x00000c83, TO 0x1122334455667789"},
	{name: "Atomic Response", hex: "414b00000000000000030000000700000000 00000051 4142434445464748",
		want: PDU{OpCode: OpAtomicResponse, Last: true, QN: 3, MSN: 7, PayloadStart: 18},
		line: "Atomic Response MSN 7: request 81, value before 0x4142434445464748"},
	{name: "Send from byte 1424", hex: "414500000000000000000000001800000590 01",
		want: PDU{OpCode: OpSendSE, Last: true, MSN: 24, MO: 1424, PayloadStart: 18},
		line: "Send with Solicited Event MSN 24 from byte 1424, 1 byte"},
}

// findPDU is the vector of that name.
func findPDU(t testing.TB, name string) *pduVector {
	t.Helper()
	for i := range pduVectors {
		if pduVectors[i].name == name {
			return &pduVectors[i]
		}
	}
	t.Fatalf("there is no vector %q", name)
	return nil
}
