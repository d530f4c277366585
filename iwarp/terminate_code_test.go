package iwarp

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

func TestTerminationCode(t *testing.T) {
	invalidates := 0
	for _, x := range terminations {
		b := check.Hex(t, x.hex)
		got, _ := readTermination(b, len(b))
		want := Code(binary.BigEndian.Uint16(b))
		if got.LittleEndian {
			want = want&0xff | want>>4&0xf00 | want<<4&0xf000
		}
		if got.Code() != want {
			t.Errorf("%s: code 0x%04x, not 0x%04x", x.hex, got.Code(), want)
		}
		if says := strings.Contains(x.text, "STag cannot be Invalidated"); got.CannotInvalidate() != says {
			t.Errorf("%s: CannotInvalidate is %v", x.hex, !says)
		} else if says {
			invalidates++
		}
		if (got.Code() == TooLong) != strings.Contains(x.text, "too long for available buffer") {
			t.Errorf("%s: code 0x%04x", x.hex, got.Code())
		}
	}
	if invalidates == 0 {
		t.Error("none of them is about an STag to invalidate")
	}
	for code, text := range map[Code]string{NoBuffer: "no buffer available", TooLong: "too long", InsufficientIRD: "Insufficient IRD"} {
		x := Termination{Layer: uint8(code >> 12), EType: uint8(code >> 8 & 15), ECode: uint8(code)}
		if x.Code() != code || !strings.Contains(x.String(), text) {
			t.Errorf("0x%04x: %s", uint16(code), &x)
		}
	}
}

func TestSendMSN(t *testing.T) {
	sends := 0
	for _, x := range terminations {
		b := check.Hex(t, x.hex)
		got, fits := readTermination(b, len(b))
		repeats := fits && strings.Contains(x.hex, sendHeader)
		msn, ok := got.SendMSN()
		if ok != repeats || ok && msn != 0x15 {
			t.Errorf("%s: MSN %d, %v", x.hex, msn, ok)
		}
		if ok {
			sends++
		}
		got.DDP = got.DDP[:min(len(got.DDP), UntaggedSize-1)]
		if _, ok := got.SendMSN(); ok {
			t.Errorf("%s: a header cut short has an MSN", x.hex)
		}
	}
	if sends == 0 {
		t.Error("none of them repeats the header of a Send")
	}
}
