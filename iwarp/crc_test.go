package iwarp

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// The FPDUs of RFC 5044, figures 5 and 6, the second with a marker before it
// taken as part of it, and their CRC fields.
var crcVectors = []struct{ name, bytes, crc string }{
	{"figure 5", "0000 0000 002a 4143 00000000 00000000 00000001 00000000" + zeros24, "52239983"},
	{"figure 6", "002a 4143 00000000 00000000 00000002 00000000 00000014" + zeros24, "84925898"},
}

const zeros24 = "000000000000000000000000000000000000000000000000"

func TestCRCVectors(t *testing.T) {
	for _, v := range crcVectors {
		b, want := check.Hex(t, v.bytes), binary.BigEndian.Uint32(check.Hex(t, v.crc))
		if got := CRC(b); got != want {
			t.Errorf("%s: %#08x, want %#08x", v.name, got, want)
		}
		for i := range b {
			b[i] ^= 1
			if CRC(b) == want {
				t.Errorf("%s: byte %d does not count", v.name, i)
			}
			b[i] ^= 1
		}
	}
	if got := CRC([]byte("123456789")); got != 0x839206e3 { // the check value, e3069283, reversed
		t.Errorf("of the digits: %#08x", got)
	}
}

// TestCRCUse: what is reported of each of a row of CRCs, r right, w wrong, z a field
// of zeros that is not right.
func TestCRCUse(t *testing.T) {
	const r, w, n = CRCRight, CRCWrong, CRCNotUsed
	for _, c := range []struct {
		use  CRCUse
		row  string
		want []CRCState
	}{
		{CRCUsed, "rwzr", []CRCState{r, w, w, r}},
		{CRCUnknown, "rrwzr", []CRCState{r, r, w, w, r}},
		{CRCUnknown, "rwr", []CRCState{r, n, r}},
		{CRCUnknown, "rwrrrw", []CRCState{r, n, r, r, r, n}},
		{CRCUnknown, "zzwr", []CRCState{n, n, n, r}},
		{CRCUnknown, "wrrrw", []CRCState{n, r, r, r, n}},
	} {
		l := crcLedger{use: c.use}
		for i, kind := range c.row {
			carried, computed := uint32(7), uint32(7)
			switch kind {
			case 'w':
				carried = 8
			case 'z':
				carried = 0
			}
			if got := l.note(carried, computed); got != c.want[i] {
				t.Errorf("use %d, %s: number %d is %d, want %d", c.use, c.row, i, got, c.want[i])
			}
		}
	}
	l := crcLedger{}
	for range crcGivenUp {
		if !l.checks() {
			t.Error("given up too early")
		}
		l.note(0, 7)
	}
	if l.checks() {
		t.Error("never given up")
	}
	if l = (crcLedger{use: CRCUnused}); l.checks() {
		t.Error("computed without use")
	}
}
