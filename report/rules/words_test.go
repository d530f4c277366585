package rules_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
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
		{rules.Count(0), "0 bytes"},
		{rules.Count(1025), "1025 bytes"},
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

func TestRate(t *testing.T) {
	for rate, want := range map[float64]string{0: "0 B/s", 999: "999 B/s", 55_700: "55.7 kB/s", 5.852e6: "5.85 MB/s", 123.4e6: "123 MB/s", 25e9: "25.0 GB/s"} {
		if got := rules.Rate(rate); got != want {
			t.Errorf("%g: %s, not %s", rate, got, want)
		}
	}
}

func TestEvidenceKey(t *testing.T) {
	for _, x := range []struct {
		name     string
		observed any
		want     string
	}{
		{"time since it was sent first", finding.Nanoseconds(5), "time_since_it_was_sent_first_ns"},
		{"bytes needed inline", 164, "needed_inline_bytes"},
		{"bytes of the message", uint32(8), "message_bytes"},
		{"bytes", uint64(8), "bytes"},
		{"Send length", 1030, "Send_length_bytes"},
		{"XCHAR_RBSIZ", uint32(4096), "XCHAR_RBSIZ_bytes"},
		{"ca_maxrequestsize of the back channel", uint64(4096), "ca_maxrequestsize_of_the_back_channel_bytes"},
		{"ca_maxrequests", uint64(30), "ca_maxrequests"},
		{"room used in Write chunks", uint64(30), "room_used_in_Write_chunks_bytes"},
		{"length", "not inline", "length"},
		{"PSN", uint32(7), "PSN"},
		{"open calls", 3, "open calls"},
	} {
		e := finding.Evidence{Name: x.name, Observed: x.observed}
		if got := e.Key(); got != x.want {
			t.Errorf("%s: %q, not %q", x.name, got, x.want)
		}
	}
}
