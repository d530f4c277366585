package iwarp

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// terminateHeader is the DDP header of a Terminate.
const terminateHeader = "4147 00000000 00000002 00000001 00000000"

const (
	taggedHeader = "c142 56a22400 000055dc46a77170"
	sendHeader   = "4144 c522a301 00000000 00000015 00000000"
	readHeader   = "4141 00000000 00000001 0000000b 00000000"
	readFields   = "70593500 000055cc2a250000 00002000 1b248600 000055c9d2429000"
)

const inSiwOrder = " (bits in the order of a little-endian compiler, as Linux siw sends them)"

// terminations are payloads of Terminates and what they say. Tshark reads
// the errors of the first three so too.
var terminations = []struct {
	hex  string
	text string
	bad  bool // not as long as its bits say
	want Termination
}{
	{hex: "0102e000 002e" + readHeader + readFields, want: Termination{EType: 1, ECode: 2, HasLength: true, HasDDP: true, HasRDMAP: true, Length: 46},
		text: "RDMAP, Remote Protection Error: Access rights violation; RDMA Read Request MSN 11, " +
			"8192 bytes from STag 0x1b248600, TO 0x000055c9d2429000 into STag 0x70593500, TO 0x000055cc2a250000, DDP Segment Length 46"},
	{hex: "1205c000 0000" + sendHeader, want: Termination{Layer: 1, EType: 2, ECode: 5, HasLength: true, HasDDP: true},
		text: "DDP, Untagged Buffer Error: DDP Message too long for available buffer; Send with Invalidate MSN 21, invalidate STag 0xc522a301, DDP Segment Length 0"},
	{hex: "20020000", want: Termination{Layer: 2, ECode: 2}, text: "LLP, MPA Error: MPA CRC error"},
	{hex: "00000000", want: Termination{}, text: "RDMAP, Local Catastrophic Error"},
	{hex: "10770000", want: Termination{Layer: 1, ECode: 0x77}, text: "DDP, Local Catastrophic Error"},
	{hex: "11004000" + taggedHeader, want: Termination{Layer: 1, EType: 1, HasDDP: true},
		text: "DDP, Tagged Buffer Error: Invalid STag; RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170"},
	{hex: "02078000 0102", want: Termination{EType: 2, ECode: 7, HasLength: true, Length: 0x102},
		text: "RDMAP, Remote Operation Error: Catastrophic error, localized to RDMAP Stream; DDP Segment Length 258"},
	{hex: "01042000" + readFields, want: Termination{EType: 1, ECode: 4, HasRDMAP: true},
		text: "RDMAP, Remote Protection Error: TO wrap; 8192 bytes from STag 0x1b248600, TO 0x000055c9d2429000 into STag 0x70593500, TO 0x000055cc2a250000"},
	{hex: "32770000", want: Termination{Layer: 3, EType: 2, ECode: 0x77}, text: "reserved layer 0x3, error type 0x2: error code 0x77"},
	{hex: "13010000", want: Termination{Layer: 1, EType: 3, ECode: 1}, text: "DDP, error type 0x3: error code 0x1"},

	// As siw sends them: DDP, layer 1 and type 2; RDMAP, type 1 of a Read Request and of a Send.
	{hex: "11010300 00c8" + taggedHeader, want: Termination{Layer: 1, EType: 1, ECode: 1, HasLength: true, HasDDP: true, Length: 200, LittleEndian: true},
		text: "DDP, Tagged Buffer Error: Base or bounds violation" + inSiwOrder + "; RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170, DDP Segment Length 200"},
	{hex: "21050300 0030" + sendHeader, want: Termination{Layer: 1, EType: 2, ECode: 5, HasLength: true, HasDDP: true, Length: 48, LittleEndian: true},
		text: "DDP, Untagged Buffer Error: DDP Message too long for available buffer" + inSiwOrder +
			"; Send with Invalidate MSN 21, invalidate STag 0xc522a301, DDP Segment Length 48"},
	{hex: "10020700 0000" + readHeader + readFields, want: Termination{EType: 1, ECode: 2, HasLength: true, HasDDP: true, HasRDMAP: true, LittleEndian: true},
		text: "RDMAP, Remote Protection Error: Access rights violation" + inSiwOrder + "; RDMA Read Request MSN 11, " +
			"8192 bytes from STag 0x1b248600, TO 0x000055c9d2429000 into STag 0x70593500, TO 0x000055cc2a250000, DDP Segment Length 0"},
	{hex: "10090700 0030" + sendHeader, want: Termination{EType: 1, ECode: 9, HasLength: true, HasDDP: true, HasRDMAP: true, Length: 48, LittleEndian: true},
		text: "RDMAP, Remote Protection Error: STag cannot be Invalidated" + inSiwOrder +
			"; Send with Invalidate MSN 21, invalidate STag 0xc522a301, DDP Segment Length 48"},
	// Of four bytes neither order is proven.
	{hex: "02020000", want: Termination{EType: 2, ECode: 2},
		text: "RDMAP, Remote Operation Error: error code 0x2; or, with bits in the order of a little-endian compiler, as Linux siw sends them, LLP, MPA Error: MPA CRC error"},

	// Not as long as they say, in neither order.
	{hex: "11010300 00c8" + taggedHeader + "00", bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1}, text: "DDP, Tagged Buffer Error: Base or bounds violation"},
	{hex: "11010300 00c8" + taggedHeader[2:], bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1}, text: "DDP, Tagged Buffer Error: Base or bounds violation"},
	{hex: "11010b00 00c8" + taggedHeader, bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1}, text: "DDP, Tagged Buffer Error: Base or bounds violation"},
	{hex: "11010301 00c8" + taggedHeader, bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1}, text: "DDP, Tagged Buffer Error: Base or bounds violation"},
	{hex: "11010000 00c8" + taggedHeader, bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1}, text: "DDP, Tagged Buffer Error: Base or bounds violation"},
	{hex: "10020700 0000" + readHeader, bad: true, want: Termination{Layer: 1, ECode: 2}, text: "DDP, Local Catastrophic Error"},
	{hex: "1101c300 00c8" + sendHeader + "00", bad: true, want: Termination{Layer: 1, EType: 1, ECode: 1, HasLength: true, HasDDP: true},
		text: "DDP, Tagged Buffer Error: Base or bounds violation"},
}

func TestTermination(t *testing.T) {
	for _, c := range terminations {
		b := check.Hex(t, terminateHeader+c.hex)
		p := decodedPDU(b, len(b))
		got, ok := p.Termination()
		if !ok || p.Fault.Bad() != c.bad {
			t.Fatalf("%s: read %v, fault %q", c.hex, ok, p.Fault)
		}
		if text := string(got.AppendTo([]byte("> "))); text != "> "+c.text {
			t.Errorf("%s:\n got %s\nwant > %s", c.hex, text, c.text)
		}
		if c.bad && (got.DDP != nil || got.RDMAP != nil) {
			t.Errorf("%s: headers %x, %x", c.hex, got.DDP, got.RDMAP)
		}
		if !c.bad && got.HasDDP != (got.DDP != nil) {
			t.Errorf("%s: header %x", c.hex, got.DDP)
		}
		got.DDP, got.RDMAP = nil, nil
		if got.String() == "" || got.Layer != c.want.Layer || got.EType != c.want.EType || got.ECode != c.want.ECode ||
			got.HasLength != c.want.HasLength || got.HasDDP != c.want.HasDDP || got.HasRDMAP != c.want.HasRDMAP ||
			got.Length != c.want.Length || got.LittleEndian != c.want.LittleEndian {
			t.Errorf("%s:\n got %+v\nwant %+v", c.hex, got, c.want)
		}
		checkPDUNodes(t, b, len(b))
	}
}

// Cut by the capture, a Terminate says the same about the error, and of the
// rest only what is there.
func TestTerminationCutAtEveryByte(t *testing.T) {
	for _, c := range terminations {
		b := check.Hex(t, terminateHeader+c.hex)
		whole, _ := decodedPDU(b, len(b)).Termination()
		for n := range b {
			p := decodedPDU(b[:n:n], len(b))
			got, ok := p.Termination()
			if ok != (n >= UntaggedSize+TerminateMin) {
				t.Errorf("%s cut at byte %d: read %v", c.hex, n, ok)
			}
			checkPDUNodes(t, b[:n:n], len(b))
			if !ok || c.bad {
				continue
			}
			if !p.Fault.Bad() || p.Fault.Offset != n {
				t.Errorf("%s cut at byte %d: fault %q", c.hex, n, p.Fault)
			}
			if !whole.LittleEndian && got.LittleEndian {
				t.Errorf("%s cut at byte %d is little-endian", c.hex, n)
			}
			if got.String() != whole.String() || got.Length != 0 && got.Length != whole.Length ||
				got.DDP != nil && len(got.DDP) != len(whole.DDP) || got.RDMAP != nil && len(got.RDMAP) != len(whole.RDMAP) {
				t.Errorf("%s cut at byte %d: %+v, want %+v", c.hex, n, got, whole)
			}
		}
	}
}

func TestTerminationOfAnotherMessage(t *testing.T) {
	for _, hex := range []string{
		"4143 00000000 00000000 00000001 00000000 20020000", // a Send
		"4247 00000000 00000002 00000001 00000000 20020000", // of DDP version 2
		"4147 00000000 00000001 00000001 00000000 20020000", // in another queue
		"0147 00000000 00000002 00000001 00000000 20020000", // in segments
		"4147 00000000 00000002 00000001 00000004 20020000",
		"c147 00000000 00000002 00000001 00000000 20020000", // tagged
	} {
		b := check.Hex(t, hex)
		if got, ok := decodedPDU(b, len(b)).Termination(); ok {
			t.Errorf("%s: %+v", hex, got)
		}
	}
}
