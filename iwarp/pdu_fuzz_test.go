package iwarp

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// FuzzPDU gives Decode any bytes. What it returns must lie in them and agree
// with the tables, with Plausible and with the tree.
func FuzzPDU(f *testing.F) {
	for _, v := range pduVectors {
		f.Add(v.bytes(f), v.wire(f))
	}
	for _, c := range terminations {
		b := check.Hex(f, terminateHeader+c.hex)
		f.Add(b, len(b))
	}
	f.Fuzz(func(t *testing.T, b []byte, length int) {
		if length < len(b) {
			length = len(b)
		}
		length &= 0xFFFF // ULPDU_Length
		b = b[:min(len(b), length)]
		p := decodedPDU(b, length)
		checkPDUAccessors(t, p)
		checkPDUNodes(t, b, length)
		AppendPDUSummary(nil, p)
		if p.Fault.Offset < 0 || p.Fault.Offset > len(b) || p.PayloadLength() < len(p.Payload()) {
			t.Fatalf("%+v", p)
		}
		if Plausible(b, length) && len(b) == length && p.Fault.Bad() && p.OpCode != OpTerminate {
			t.Fatalf("plausible, but %s", p.Fault)
		}
		for n := range b {
			// What is there decides: with less of it, nothing that was plausible may become less so.
			if Plausible(b, length) && !Plausible(b[:n], length) {
				t.Fatalf("plausible, but not its first %d bytes", n)
			}
		}
		if term, ok := p.Termination(); ok {
			if parts := len(term.DDP) + len(term.RDMAP); parts > len(p.Payload())-TerminateMin {
				t.Fatalf("%d bytes of headers in %+v", parts, term)
			}
			if term.LittleEndian && b[p.PayloadStart+2]&^7 != 0 {
				t.Fatalf("little-endian: %x", p.Payload())
			}
		}
	})
}
