package dissect_test

import (
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestPartsWhilePaused has a call wait while the link is paused: as far as that may be its own priority,
// its time is not the server's.
func TestPartsWhilePaused(t *testing.T) {
	const storm = `
			repeat 10
			wait 3ms
			pfc 3 65535
			end
			pfc 3 0
			`
	for name, c := range map[string]struct {
		scene string
		own   bool
		not   bool
	}{
		"no tag":         {"connect\ncall 1 NFS3 NULL\npfc 3 65535\n" + storm + "reply 1\n", false, false},
		"its priority":   {"connect\ncall 1 NFS3 NULL\npfc 3 65535\n" + storm + "reply 1\n    tag 3\n", true, false},
		"another":        {"connect\ncall 1 NFS3 NULL\npfc 3 65535\n" + storm + "reply 1\n    tag 4\n", false, true},
		"before a call":  {"connect\npfc 3 65535\n" + storm + "call 1 NFS3 NULL\nwait 30ms\nreply 1\n", false, true},
		"the whole link": {"connect\ncall 1 NFS3 NULL\npfc all 65535\nwait 3ms\npfc all 65535\nwait 3ms\npfc all 0\nreply 1\n    tag 4\n", true, false},
	} {
		for _, transport := range []scene.Transport{scene.RoCE, scene.IWARP} {
			t.Run(name+"/"+transport.String(), func(t *testing.T) {
				list := play(t, c.scene, transport)
				p, ok := partsOf(t, list)[0x1001]
				if !ok {
					t.Fatal("the RPC was not told")
				}
				server, _ := p.Of(dissect.PhaseServer)
				if c.not {
					if p.Paused != 0 || server < int64(29*time.Millisecond) {
						t.Errorf("paused %d ns, %d ns in the server", p.Paused, server)
					}
					return
				}
				if p.Paused < int64(5*time.Millisecond) || p.OwnPaused != c.own || p.Kinds.Has(4) || p.Kinds == 0 || server > int64(4*time.Millisecond) {
					t.Errorf("paused %d ns (own: %t) of %s, %d ns in the server", p.Paused, p.OwnPaused, p.Kinds, server)
				}
			})
		}
	}
}
