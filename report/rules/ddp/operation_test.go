package ddp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/ddp"
)

// An RDMA Write is one operation, however many packets or DDP segments carry it, and
// the values of a finding are those that are wrong.
func TestOneOperation(t *testing.T) {
	for _, tt := range []struct{ name, id, text, message, evidence string }{
		{"after the reply", "DDP-016", `
connect
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
reply 1 data=bytes(3000) eof=true
rdma write server 0x2001 3000
call 2 NFS3 NULL
reply 2
disconnect
`, "writes 3000 bytes at 0x0000000200100000 ", "time since the end"},
		{"too long", "DDP-014", `
connect
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
rdma write server 0x2001 4100
reply 1 data=bytes(4096) eof=true
disconnect
`, "writes 4100 bytes at 0x0000000200100000 ", "end"},
		{"too early", "DDP-014", `
connect
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
rdma write server 0x2001 4000@0x2000fffff
reply 1 data=bytes(4096) eof=true
disconnect
`, "writes 4000 bytes at 0x00000002000fffff ", "offset"},
		{"without a call", "DDP-015", `
connect
call 1 NFS3 NULL
reply 1
rdma write server 0x2001 4000
call 2 NFS3 NULL
reply 2
disconnect
`, "writes 4000 bytes at 0x0000000200100000 ", "handle"},
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			t.Run(tt.name+" "+over.String(), func(t *testing.T) {
				found := ruletest.Check(t, ddp.Rules(), ruletest.Frames(t, tt.text, over))
				found = slices.DeleteFunc(found, func(f *finding.Finding) bool { return f.Rule.ID != tt.id })
				if len(found) != 1 || found[0].Count != 1 {
					t.Fatalf("%d findings of %s", len(found), tt.id)
				}
				f := found[0]
				if !strings.Contains(f.Message, tt.message) || f.Evidence[0].Name != tt.evidence {
					t.Errorf("%s, %v", f.Message, f.Evidence)
				}
				if tt.id == "DDP-014" && len(f.Evidence) != 1 {
					t.Errorf("%v is not wrong in all of it", f.Evidence)
				}
			})
		}
	}
}
