package thresh_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/thresh"
)

// What is an error by its rule may be less in a capture that says so.
func TestSeverities(t *testing.T) {
	const write, long = "NFS3 WRITE data=bytes(1200) count=1200\n", "NFS3 WRITE data=bytes(2000) count=2000\n"
	for _, test := range []struct {
		name, scene, id string
		want            finding.Severity
	}{
		{"one Send above the default", "connect server=none\ncall 1 " + write + "reply 1\ndisconnect\n", "THRESH-001", finding.Error},
		{"a hundred", "connect server=none\nrepeat 100\ncall $ " + write + "reply $\nend\ndisconnect\n", "THRESH-001", finding.Error},
		{"more than a hundred", "connect server=none\nrepeat 101\ncall $ " + write + "reply $\nend\ndisconnect\n", "THRESH-001", finding.Warning},
		{"more than a hundred, and one refused", "connect server=none\nrepeat 101\ncall $ " + write + "reply $\nend\ncall 200 " + write +
			"    noack\nnak server invalid\ndisconnect\n", "THRESH-001", finding.Error},
		{"no setup", "call 1 " + write + "reply 1\ncall 2 " + write + "reply 2\n", "THRESH-001", finding.Note},
		{"no room, and it showed", "connect\ncall 1 NFS3 READDIR count=32768\nerror 1 ERR_CHUNK\ndisconnect\n", "THRESH-009", finding.Error},
		{"no room, and it did not show", "connect\ncall 1 NFS3 READDIR count=32768\nreply 1\ndisconnect\n", "THRESH-009", finding.Warning},
		{"no limit, and it showed", "connect\ncall 1 NFSACL3 GETACL\nerror 1 ERR_CHUNK\ndisconnect\n", "THRESH-009", finding.Warning},
		{"both", "connect\ncall 1 NFSACL3 GETACL\nreply 1\ncall 2 NFS3 READDIR count=32768\nerror 2 ERR_CHUNK\ndisconnect\n", "THRESH-009", finding.Error},
		{"the receiver refused", "connect client=4096/4096 server=1024/1024\ncall 1 " + long + "    noack\nnak server invalid\ndisconnect\n", "THRESH-010", finding.Error},
		{"the receiver closed", "connect client=4096/4096 server=1024/1024\ncall 1 " + long + "    noack\nwait 10ms\ndisconnect server\n", "THRESH-010", finding.Warning},
		{"the receiver closed, and did not answer before", "connect client=4096/4096 server=1024/1024\ncall 1 " + long +
			"    noack\nwait 10ms\nresend\nwait 10ms\ndisconnect server\n", "THRESH-010", finding.Error},
	} {
		t.Run(test.name, func(t *testing.T) {
			frames := ruletest.Frames(t, test.scene, scene.RoCE)
			var got []finding.Severity
			for _, f := range ruletest.Check(t, thresh.Rules(), frames) {
				if f.ID() == test.id {
					got = append(got, f.Severity)
				}
			}
			if !slices.Equal(got, []finding.Severity{test.want}) {
				t.Errorf("%s is found with %v, not %v", test.id, got, test.want)
			}
		})
	}
}
