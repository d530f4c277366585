package rules_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
)

func TestWords(t *testing.T) {
	nine := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, x := range []struct{ got, want string }{
		{rules.Handle(0x1a), "0x0000001a"},
		{rules.Offset(0x12345000), "0x0000000012345000"},
		{rules.Handles(nil), ""},
		{rules.Handles(nine[:2]), "0x00000001, 0x00000002"},
		{rules.Handles(nine[:8]), "0x00000001, 0x00000002, 0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0x00000008"},
		{rules.Handles(nine), "0x00000001, 0x00000002, 0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0x00000008 and 1 more"},
		{rules.Count(0), "0 octets"},
		{rules.Count(1025), "1025 octets"},
		{rules.Count(4096), "4 KiB"},
		{rules.Count(3 << 40), "3072 GiB"},
		{rules.Duration(0), "0 ns"},
		{rules.Duration(1_234), "1.23 µs"},
		{rules.Duration(12_345_678), "12.3 ms"},
		{rules.Duration(61_234_567_890), "61.2 s"},
	} {
		if x.got != x.want {
			t.Errorf("%q, not %q", x.got, x.want)
		}
	}
}
