package rocev2

import (
	"testing"
	"time"
)

func TestSyndrome(t *testing.T) {
	const none = -1
	tests := []struct {
		s             Syndrome
		ack, rnr, nak bool
		credits       int
		timer         time.Duration
		text          string
	}{
		{0x00, true, false, false, 0, 0, "ACK"},
		{0x04, true, false, false, 4, 0, "ACK"},
		{0x1E, true, false, false, 32768, 0, "ACK"},
		{0x1F, true, false, false, none, 0, "ACK"},
		{0x20, false, true, false, none, 655360 * time.Microsecond, "RNR NAK, 655.36 ms"},
		{0x21, false, true, false, none, 10 * time.Microsecond, "RNR NAK, 0.01 ms"},
		{0x2C, false, true, false, none, 640 * time.Microsecond, "RNR NAK, 0.64 ms"},
		{0x3F, false, true, false, none, 491520 * time.Microsecond, "RNR NAK, 491.52 ms"},
		{0x40, false, false, false, none, 0, "reserved syndrome 0x40"},
		{0x60, false, false, true, none, 0, "NAK: PSN sequence error"},
		{0x61, false, false, true, none, 0, "NAK: invalid request"},
		{0x62, false, false, true, none, 0, "NAK: remote access error"},
		{0x63, false, false, true, none, 0, "NAK: remote operational error"},
		{0x64, false, false, true, none, 0, "NAK: invalid RD request"},
		{0x65, false, false, true, none, 0, "NAK: reserved code 5"},
		{0x80, false, false, false, none, 0, "reserved syndrome 0x80"},
	}
	for _, test := range tests {
		s := test.s
		if s.IsACK() != test.ack || s.IsRNR() != test.rnr || s.IsNAK() != test.nak {
			t.Errorf("%#02x: ACK %v, RNR %v, NAK %v", uint8(s), s.IsACK(), s.IsRNR(), s.IsNAK())
		}
		credits, ok := s.Credits()
		if !ok {
			credits = none
		}
		if credits != test.credits || s.RNRTimer() != test.timer || s.String() != test.text || s.Code() != uint8(s)&31 {
			t.Errorf("%#02x: %d credits, timer %v, %q, code %d", uint8(s), credits, s.RNRTimer(), s, s.Code())
		}
	}
}

// IBA 9.7.5, table of credit codes, in full.
func TestSyndromeCredits(t *testing.T) {
	want := []int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
		1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768}
	for code, n := range want {
		if got, ok := Syndrome(code).Credits(); got != n || !ok {
			t.Errorf("credit code %d: %d, %v, want %d", code, got, ok, n)
		}
	}
}

func TestPSN(t *testing.T) {
	tests := []struct {
		a, b uint32
		diff int32
	}{
		{5, 3, 2},
		{3, 5, -2},
		{0, 0xFFFFFF, 1},
		{0xFFFFFF, 0, -1},
		{0x7FFFFF, 0, 1<<23 - 1},
		{0x800000, 0, -1 << 23},
		{0xFF000005, 3, 2}, // bits above the 24 are no part of a PSN
	}
	for _, test := range tests {
		if got := PSNDiff(test.a, test.b); got != test.diff {
			t.Errorf("PSNDiff(%#x, %#x) = %d, want %d", test.a, test.b, got, test.diff)
		}
		if got := PSNAdd(test.b, int(test.diff)); got != test.a&psnMask {
			t.Errorf("PSNAdd(%#x, %d) = %#x, want %#x", test.b, test.diff, got, test.a&psnMask)
		}
	}
}
