package sym_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/sym"
)

// TestAnsweredEnd holds that a server that only answers the client's DREQ or FIN is not said to have ended the connection,
// where the capture lacks that; one that sent the first is.
func TestAnsweredEnd(t *testing.T) {
	for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
		for end, want := range map[string]bool{"disconnect client": false, "disconnect server": true} {
			list := ruletest.Frames(t, "connect\ncall 1 NFS3 GETATTR\nreply 1\n"+end+"\n", over)
			whole := said(t, list)
			if whole != want {
				t.Errorf("%v, %s: SYM-009 %v", over, end, whole)
			}
			if want {
				continue
			}
			for i := range list {
				lacks := slices.Delete(slices.Clone(list), i, i+1)
				if said(t, lacks) {
					t.Errorf("%v, %s, without frame %d: SYM-009", over, end, i+1)
				}
			}
		}
	}
}

func said(t *testing.T, list []capture.Frame) bool {
	return slices.ContainsFunc(ruletest.Check(t, sym.Rules(), list), func(f *finding.Finding) bool { return f.ID() == "SYM-009" })
}
