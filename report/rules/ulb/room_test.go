package ulb_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/ulb"
)

// TestWanted has calls that let the server return some bytes, each refused with
// room for 8192: a shortage if they are more, and none if not.
func TestWanted(t *testing.T) {
	const room = 8192
	for _, tt := range []struct {
		call  string // with a place for the bytes
		write bool   // has a Write chunk
		least int    // bytes that are too many
	}{
		{"NFS3 READ count=%d", false, room - 103},
		{"NFS3 READ count=%d", true, 0},
		{"NFS3 READDIR count=%d", false, room + 1},
		{"NFS3 READDIRPLUS maxcount=%d", false, room + 1},
		{"NFS4 COMPOUND [PUTFH READ{count=%d}]", false, room + 1},
		{"NFS4 COMPOUND [PUTFH READ{count=%d}]", true, 0},
		{"NFS4 COMPOUND [PUTFH READ_PLUS{rpa_count=%d}]", false, room + 1},
		{"NFS4 COMPOUND [PUTFH READDIR{maxcount=%d}]", false, room + 1},
		{"NFS4 COMPOUND [PUTFH LISTXATTRS{lxa_maxcount=%d}]", false, room + 1},
		{"NFS4 COMPOUND [PUTFH READ{count=%d} READ{count=100}]", false, room - 99},
		{"NFS4 COMPOUND [PUTFH READ{count=100000} READ{count=%d}]", true, room + 1},
		{"NFS4 COMPOUND [PUTFH ACCESS{access=%d}]", false, 0},
		{"MOUNT3 MNT text(%d)", false, 0},
	} {
		counts := []int{100, tt.least - 1, tt.least, 1 << 17}
		if tt.least == 0 {
			counts = []int{100, 200}
		}
		for _, n := range counts {
			text := "connect\ncall 1 " + fmt.Sprintf(tt.call, n) + "\n    replychunk 0x801 8192\n"
			if tt.write {
				text += "    write 0x802 131072\n"
			}
			list := ruletest.Frames(t, text+"error 1 ERR_CHUNK\ndisconnect", scene.RoCE)
			found := slices.ContainsFunc(ruletest.Check(t, ulb.Rules(), list), func(f *finding.Finding) bool { return f.Rule.ID == "ULB-011" })
			if want := tt.least > 0 && n >= tt.least; found != want {
				t.Errorf("%s with %d bytes: found %v, want %v", tt.call, n, found, want)
			}
		}
	}
}
