package story

import (
	"slices"
	"strings"
	"testing"
)

// TestParseTarget holds what can be followed, and what is reported of anything else.
func TestParseTarget(t *testing.T) {
	for _, c := range []struct {
		args  string
		files int
		want  Target
		wrong string
	}{
		{"a.pcap 0x03cdea83", 1, Target{XID: 0x03cdea83}, ""},
		{"a.pcap 03cdea83", 1, Target{XID: 0x03cdea83}, ""},
		{"a.pcap 0X3CDEA83", 1, Target{XID: 0x03cdea83}, ""},
		{"a.pcap 12345678", 1, Target{XID: 0x12345678}, ""}, // eight digits are all of an XID
		{"a.pcap 63892099", 1, Target{XID: 0x63892099}, ""},
		{"a.pcap 7", 1, Target{XID: 7}, ""},
		{"a.pcap b.pcap frame 4916", 2, Target{Frame: 4916}, ""},
		{"a.pcap b.pcap frame 1.4916", 2, Target{Frame: 4916, File: 1}, ""},
		{"a.pcap connection #2", 1, Target{Connection: 2}, ""},
		{"a.pcap connection 2", 1, Target{Connection: 2}, ""},
		{"a.pcap", 0, Target{}, "follow needs a capture and what to follow"},
		{"", 0, Target{}, "follow needs a capture and what to follow"},
		{"a.pcap frame 0", 0, Target{}, "they start at 1"},
		{"a.pcap frame x.7", 0, Target{}, "is not a frame of a file"},
		{"a.pcap connection none", 0, Target{}, "they start at 1"},
		{"a.pcap b.pcap", 0, Target{}, `"b.pcap" is not an XID`},
		{"a.pcap 0x123456789", 0, Target{}, "is not an XID"},
	} {
		args := strings.Fields(c.args)
		files, got, err := ParseTarget(args)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want %q", c.args, err, c.wrong)
			}
		case err != nil || got != c.want || !slices.Equal(files, args[:c.files]):
			t.Errorf("%q: %q and %+v, %v, want %+v", c.args, files, got, err, c.want)
		}
	}
}
