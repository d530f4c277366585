package iwarp_test

import (
	"encoding/hex"
	"fmt"

	"github.com/rdmacap/rdmacap/iwarp"
)

// A printer prints what each FPDU carries.
type printer struct{ pdu iwarp.PDU }

func (p *printer) FPDU(f *iwarp.FPDU) {
	p.pdu.Decode(f.ULPDU, f.ULPDULength)
	fmt.Printf("byte %d: %v, %v bytes, CRC %v\n", f.At, p.pdu.OpCode, p.pdu.PayloadLength(), f.CRCState)
	if read, ok := p.pdu.ReadRequest(); ok {
		fmt.Printf("  %d bytes at %#x of STag %#x\n", read.Size, read.SourceTO, read.SourceSTag)
	}
}

func (p *printer) Skipped(n uint64) { fmt.Println(n, "bytes are of no FPDU") }

// One direction of a TCP stream: the start-up frame, then FPDUs, here in two segments, the second
// of which begins inside an FPDU.
func ExampleFramer() {
	stream, _ := hex.DecodeString("4d504120494420526570204672616d651002000c00000080" + "f6ab0e1801000303" +
		"002e4141000000000000000100000001000000009847a401ff291a66827a7000" +
		"00040000f43981026a1aad1183d7a00000000000")
	var start iwarp.Start
	n, whole := start.Decode(stream)
	if !whole || start.Fault.Bad() {
		fmt.Println(start.Fault)
		return
	}
	fmt.Printf("MPA revision %d, ORD %d, private data %x\n", start.Revision, start.ORD, start.PrivateData())

	// Whether this direction has markers, and whether CRCs are used, also depends on the start-up
	// frame of the other one, which asked for neither.
	var framer iwarp.Framer
	framer.Start(&printer{}, false, iwarp.CRCUnused)
	framer.Data(stream[n : n+20])
	framer.Data(stream[n+20:])
	framer.Flush()
	// Output:
	// MPA revision 2, ORD 128, private data f6ab0e1801000303
	// byte 0: RDMA Read Request, 28 bytes, CRC not used
	//   262144 bytes at 0x6a1aad1183d7a000 of STag 0xf4398102
}
