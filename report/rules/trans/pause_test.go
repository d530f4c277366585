package trans_test

import (
	"encoding/hex"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules/trans"
)

// TestPause asks about frames in a capture without any connection, which scenes do not
// have: MAC control frames that pause a port, and others.
func TestPause(t *testing.T) {
	for name, c := range map[string]struct {
		data   string
		pauses bool
	}{
		"PFC":           {"0180c2000001 525400000001 8808 0101 0008 0000 0000 0000 ffff 0000 0000 0000 0000", true},
		"PAUSE":         {"0180c2000001 525400000001 8808 0001 ffff", true},
		"other control": {"0180c2000001 525400000001 8808 0002 ffff", false},
		"ARP":           {"ffffffffffff 525400000001 0806 0001 0800 06 04 0001", false},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := hex.DecodeString(compact(c.data))
			if err != nil {
				t.Fatal(err)
			}
			frames := []capture.Frame{
				{Link: link.TypeEthernet, Data: b, Length: 64, Number: 1, Time: 1},
				{Link: link.TypeEthernet, Data: b, Length: 64, Number: 2, Time: 2},
			}
			found := ruletest.Check(t, trans.Rules(), frames)
			if !c.pauses {
				if len(found) > 0 {
					t.Errorf("found %s: %s", found[0].ID(), found[0].Message)
				}
				return
			}
			if len(found) != 1 || found[0].ID() != "TRANS-010" || found[0].Count != 1 || found[0].Connection != nil {
				t.Errorf("found %d findings, want one TRANS-010 of the capture", len(found))
			}
		})
	}
}

// compact takes the blanks out.
func compact(s string) string {
	var b []byte
	for i := range len(s) {
		if s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	return string(b)
}
