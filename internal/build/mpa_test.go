package build

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// crc32c is the CRC of iSCSI, bit by bit (RFC 3720, section 12.1), independent
// of the one in use, in the order of the wire.
func crc32c(b []byte) []byte {
	crc := ^uint32(0)
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			crc = crc>>1 ^ 0x82f63b78*(crc&1)
		}
	}
	return binary.LittleEndian.AppendUint32(nil, ^crc)
}

// A framed is an FPDU as unframe finds it.
type framed struct {
	ulpdu   []byte
	pad     []byte
	crc     []byte
	covered []byte // by the CRC
	markers []int  // positions in the stream
}

// unframe takes a stream of FPDUs apart, byte by byte.
func unframe(t *testing.T, stream []byte, markers bool) (fpdus []framed) {
	t.Helper()
	for at := 0; at < len(stream); {
		var f framed
		begin, length := at, -1
		take := func(n int) (b []byte) {
			for range n {
				if markers && at%512 == 0 {
					marker := binary.BigEndian.Uint32(stream[at:])
					if want := uint32(at - begin); marker != want {
						t.Fatalf("marker 0x%x at %d, want 0x%x", marker, at, want)
					}
					f.markers = append(f.markers, at)
					if at += 4; length < 0 {
						begin = at
					}
				}
				b = append(b, stream[at])
				at++
			}
			return b
		}
		from := at
		length = int(binary.BigEndian.Uint16(append(take(1), take(1)...)))
		f.ulpdu = take(length)
		f.pad = take(-(2 + length) & 3)
		// A marker between pad and CRC is found by taking the CRC.
		last := at
		if markers && at%512 == 0 {
			last += 4
		}
		f.crc = take(4)
		f.covered = stream[from:last]
		fpdus = append(fpdus, f)
	}
	return fpdus
}

// The vectors of RFC 5044, figures 5 and 6: a Send of 24 zeros after the first
// marker of a stream, and the next one with the second marker in it.
func TestRFC5044Vectors(t *testing.T) {
	s := MPAStream{Markers: true, CRC: true}
	send := func(msn uint32) []byte {
		return Untagged{OpCode: RDMAPSend, Last: true, MSN: msn, Payload: make([]byte, 24)}.Bytes()
	}
	zeros := "000000000000000000000000000000000000000000000000"
	same(t, "figure 5", s.FPDU(send(1)),
		check.Hex(t, "00000000 002a 4143 00000000 00000000 00000001 00000000"+zeros+"52239983"))
	s.FPDU(make([]byte, 512-20-52-6)) // up to 20 bytes before the second marker
	same(t, "figure 6", s.FPDU(send(2)),
		check.Hex(t, "002a 4143 00000000 00000000 00000002 00000000 00000014"+zeros+"84925898"))
}

// Whatever the ULPDUs' lengths are, they come back out of the stream, with the
// CRC of all that is before it, zeros as pad, and a marker every 512 bytes.
func TestFPDUs(t *testing.T) {
	for _, markers := range []bool{false, true} {
		s := MPAStream{Markers: markers, CRC: true}
		var stream []byte
		for n := range 700 {
			stream = append(stream, s.FPDU(hexBytes(n))...)
		}
		fpdus := unframe(t, stream, markers)
		if len(fpdus) != 700 {
			t.Fatalf("%d FPDUs", len(fpdus))
		}
		var positions []int
		for n, f := range fpdus {
			same(t, fmt.Sprintf("ULPDU of %d bytes", n), f.ulpdu, hexBytes(n))
			same(t, "pad", f.pad, make([]byte, len(f.pad)))
			same(t, "CRC", f.crc, crc32c(f.covered))
			positions = append(positions, f.markers...)
		}
		var want []int
		for at := 0; markers && at < len(stream); at += 512 {
			want = append(want, at)
		}
		if !slices.Equal(positions, want) {
			t.Errorf("markers at %v", positions)
		}
	}
}

func TestFPDUOptions(t *testing.T) {
	for _, test := range []struct {
		name   string
		stream MPAStream
		option FPDUOption
		want   string
	}{
		{"no CRC", MPAStream{}, PadWith(0), "0003 616263 000000 00000000"},
		{"pad", MPAStream{}, PadWith(9), "0003 616263 090909 00000000"},
		{"length", MPAStream{}, StatedLength(0x1234), "1234 616263 000000 00000000"},
		{"CRC", MPAStream{}, WrongCRC(), "0003 616263 000000 ffffffff"},
		{"marker", MPAStream{Markers: true}, WrongMarker(0x10001), "00010001 0003 616263 000000 00000000"},
	} {
		same(t, test.name, test.stream.FPDU([]byte("abc"), test.option), check.Hex(t, test.want))
	}
	right, wrong := MPAStream{CRC: true}, MPAStream{CRC: true}
	a, b := right.FPDU([]byte("ab")), wrong.FPDU([]byte("ab"), WrongCRC())
	for i := range a {
		if differs := a[i]^b[i] == 0xff; differs != (i >= 4) || !differs && a[i] != b[i] {
			t.Errorf("byte %d: %#x and with a wrong CRC %#x", i, a[i], b[i])
		}
	}
}

// The largest ULPDU's FPDU fits the segment wherever the markers fall, and the
// next larger by four bytes does not.
func TestMULPDU(t *testing.T) {
	if got := MULPDU(1448, false); got != 1442 { // as Linux siw
		t.Errorf("%d, want 1442", got)
	}
	for _, emss := range []int{64, 511, 512, 513, 1428, 1448, 8948, 8950} {
		for _, markers := range []bool{false, true} {
			n, most := MULPDU(emss, markers), 0
			for phase := 0; phase < 512; phase += 4 {
				s := MPAStream{Markers: markers, sent: phase}
				most = max(most, len(s.FPDU(make([]byte, n))))
				if large := len(s.FPDU(make([]byte, n+4))); !markers && large <= emss {
					t.Errorf("MSS %d: %d bytes would fit too", emss, n+4)
				}
			}
			if most > emss {
				t.Errorf("MSS %d, markers %v: an FPDU of %d bytes", emss, markers, most)
			}
		}
	}
}

func TestMPAStart(t *testing.T) {
	const req, rep = "4d504120494420526571204672616d65", "4d504120494420526570204672616d65"
	for _, test := range []struct {
		name string
		m    MPAStart
		want string
	}{
		{"revision 1", MPAStart{Revision: 1, Private: []byte("abc")}, req + "00 01 0003 616263"},
		{"every flag", MPAStart{Reply: true, Markers: true, CRC: true, Reject: true, Reserved: 0xf, Revision: 9}, rep + "ef 09 0000"},
		{"A, C", MPAStart{Revision: 2, Enhanced: true, PeerToPeer: true, ZeroWrite: true, IRD: 1, ORD: 2, Private: []byte{7}}, req + "10 02 0005 8001 8002 07"},
		{"B, D, depths of 14 bits", MPAStart{Revision: 2, Enhanced: true, ZeroSend: true, ZeroRead: true, IRD: 0xffff, ORD: 0x3ffe}, req + "10 02 0004 7fff 7ffe"},
		{"M", MPAStart{Markers: true, Revision: 1}, req + "80 01 0000"},
		{"C", MPAStart{CRC: true, Revision: 1}, req + "40 01 0000"},
	} {
		same(t, test.name, test.m.Bytes(), check.Hex(t, test.want))
	}
}
