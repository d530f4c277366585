package filter

import "testing"

func TestParseSize(t *testing.T) {
	for s, want := range map[string]uint64{"20MB": 20e6, "64MiB": 64 << 20, "1.5kB": 1500, "7": 7, "0x10": 16} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("%s is %d (%v), want %d", s, got, err, want)
		}
	}
	for s, want := range map[string]string{
		"":     "it is a number of bytes, as in 20MB or 64MiB",
		"big":  "it is a number of bytes, as in 20MB or 64MiB",
		"20mb": "mb is not a unit of sizes: k, M, G and T are powers of 1000; KiB, MiB, GiB and TiB of 1024",
		"1.5":  "1.5 is not a whole number",
	} {
		if _, err := ParseSize(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}
