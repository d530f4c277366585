package link

import "testing"

// TestDSCPNames has code points of each kind, and their neighbours without a name.
func TestDSCPNames(t *testing.T) {
	for v, want := range map[uint64]string{
		0: "CS0", 1: "LE", 2: "", 8: "CS1", 9: "", 10: "AF11", 14: "AF13", 26: "AF31", 38: "AF43",
		42: "", 44: "VOICE-ADMIT", 46: "EF", 47: "", 56: "CS7", 63: "",
	} {
		if got := dscpName(v); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}
