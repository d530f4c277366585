package layers

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
)

// FuzzSegment gives gopacket any bytes as a TCP segment, as an FPDU and as each
// message: whatever it makes of them, it does not panic, the layers together
// have no byte twice, the DDP headers are iwarp's, and a parser that goes from
// FPDU to FPDU finds as many as the packet has.
func FuzzSegment(f *testing.F) {
	b, at := run(true)
	f.Add(b)
	for i := range at[1:] {
		f.Add(b[at[i]:at[i+1]])
	}
	f.Add(append(build.MPAStart{Enhanced: true, Revision: 2, Private: []byte("abc")}.Bytes(), b...))
	marked := build.MPAStream{Markers: true}
	f.Add(marked.FPDU(examples()[0].ulpdu))
	f.Fuzz(func(t *testing.T, b []byte) {
		for typ := gopacket.LayerType(layerMPA); typ <= layerImmediate; typ++ {
			p := gopacket.NewPacket(b, typ, gopacket.DecodeOptions{NoCopy: true, SkipDecodeRecovery: true})
			sum := 0
			for _, l := range p.Layers() {
				sum += len(l.LayerContents())
				if l, ok := l.(*DDP); ok {
					checkDDP(t, l)
				}
			}
			if sum > len(b) {
				t.Errorf("%v: layers of %d bytes from %d", typ, sum, len(b))
			}
			if typ == layerFPDU {
				checkParser(t, b, p)
			}
		}
		if n, piece, err := Split(b, true); err == nil && (n == 0) != (len(b) == 0) || !bytes.HasPrefix(b, piece) || n != len(piece) {
			t.Errorf("Split goes on by %d of %d bytes with %d, error %v", n, len(b), len(piece), err)
		}
	})
}

func checkDDP(t *testing.T, l *DDP) {
	t.Helper()
	ulpdu := append(bytes.Clone(l.Contents), l.Payload...)
	length := len(ulpdu)
	if l.FPDU != nil {
		length = l.FPDU.ULPDULength
	}
	var want iwarp.PDU
	want.Decode(ulpdu, length)
	if l.OpCode != want.OpCode || l.STag != want.STag || l.MO != want.MO || l.Fault != want.Fault {
		t.Errorf("DDP %+v, want %+v", l, want)
	}
}

// checkParser goes through FPDUs in a parser, and counts them.
func checkParser(t *testing.T, b []byte, p gopacket.Packet) {
	t.Helper()
	set := NewSet()
	var payload gopacket.Payload
	parser := gopacket.NewDecodingLayerParser(LayerTypeFPDU, append(set.All(), &payload)...)
	want := 0
	for _, l := range p.Layers() {
		if l.LayerType() == LayerTypeFPDU {
			want++
		}
	}
	got := 0
	var types []gopacket.LayerType
	for len(b) > 0 {
		err := parser.DecodeLayers(b, &types)
		if len(types) > 0 {
			got++
			b = set.FPDU.Next
		}
		if err != nil {
			break
		}
	}
	if got != want || parser.Truncated != p.Metadata().Truncated {
		t.Errorf("the parser finds %d FPDUs, the packet has %d", got, want)
	}
}
