package ddp_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/ddp"
)

// TestSeverities has scenes in which a finding is worse or better than its case
// usually is.
func TestSeverities(t *testing.T) {
	for _, tt := range []struct {
		name, id string
		severity finding.Severity
		doubt    bool
		text     string
	}{
		{"a Write list under krb5i that was used", "DDP-004a", finding.Error, false, `
connect
call 1 NFS3 READ file="fh" count=3000
    cred gss service=integrity seq=7 handle="ctx"
    write 0x2001 3000
reply 1 data=bytes(3000)
`},
		{"a Write list under krb5i that was not used", "DDP-004a", finding.Warning, false, `
connect
call 1 NFS3 READ file="fh" count=3000
    cred gss service=integrity seq=7 handle="ctx"
    write 0x2001 3000
reply 1 data=bytes(3000)
    unused
`},
		{"a server with private data rounds up", "DDP-011c", finding.Error, false, `
connect
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
reply 1 data=bytes(3001)
    place 3004
    returns write 0x2001 3004
`},
		{"a server without private data rounds up", "DDP-011c", finding.Warning, false, `
connect server=none
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
reply 1 data=bytes(3001)
    place 3004
    returns write 0x2001 3004
`},
		{"a server without private data does not always round up", "DDP-011c", finding.Error, false, `
connect server=none
call 1 NFS3 READ file="fh" count=4096
    write 0x2001 4096
reply 1 data=bytes(3001)
call 2 NFS3 READ file="fh" count=4096
    write 0x2002 4096
reply 2 data=bytes(3001)
    place 3004
    returns write 0x2002 3004
`},
		{"a READLINK with little room", "DDP-020a", finding.Error, true, `
connect
call 1 NFS3 READLINK symlink="fh"
    write 0x2001 512
reply 1 data=text(400)
`},
		{"a handle that no call advertised, refused with nothing after it", "DDP-015", finding.Error, true, `
connect
call 1 NFS3 READ count=100
    write 0x1001 100
rdma write server 0x7777 100
    noack
nak client access
disconnect
`},
		{"memory of an RPC that is over, refused with nothing after it", "DDP-016", finding.Error, true, `
connect
call 1 NFS3 READ count=100
    write 0x1001 100
reply 1 data=bytes(100)
rdma write server 0x1001 100
    noack
nak client access
disconnect
`},
		{"a handle that no call advertised, with a message after it", "DDP-015", finding.Error, false, `
connect
call 1 NFS3 READ count=100
    write 0x1001 100
rdma write server 0x7777 100
reply 1 data=bytes(100)
call 2 NFS3 NULL
reply 2
disconnect
`},
		{"an RDMA Write beyond its segment, seen from the middle", "DDP-014", finding.Error, true, `
call 1 NFS3 NULL
reply 1
call 2 NFS3 READ file="fh" count=4096
    write 0x2001 4096
rdma write server 0x2001 4100
reply 2 data=bytes(4096)
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			frames := ruletest.Frames(t, tt.text, scene.RoCE)
			found := ruletest.Check(t, ddp.Rules(), frames)
			i := slices.IndexFunc(found, func(f *finding.Finding) bool { return f.ID() == tt.id })
			if i < 0 {
				t.Fatalf("no %s", tt.id)
			}
			if f := found[i]; f.Severity != tt.severity || (f.Doubt != "") != tt.doubt {
				t.Errorf("%s is of severity %s, doubt %q", f.ID(), f.Severity, f.Doubt)
			}
		})
	}
}
