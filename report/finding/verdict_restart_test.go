package finding_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestRestart holds that a server is reported to be restarted where it left before it refused what it knew, and not where
// it left only then.
func TestRestart(t *testing.T) {
	const (
		grace = "repeat 3\ncall $ NFS4 COMPOUND [SEQUENCE PUTROOTFH OPEN]\nreply $ [SEQUENCE PUTROOTFH OPEN{NFS4ERR_GRACE}]\nend\n"
		left  = "call 11 NFS3 GETATTR\nreply 11\nwait 100ms\ndisconnect server\n"
	)
	for _, tt := range []struct {
		name, text string
		restarted  bool
	}{
		{"it leaves, and is in grace", "connect\n" + left + "wait 2s\nconnect\n" + grace + "disconnect client\n", true},
		{"it is in grace, and leaves later", "connect\n" + grace + "wait 2s\n" + left, false},
		{"it is in grace", "connect\n" + grace + "disconnect client\n", false},
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			got := judged(t, over, tt.text)
			if strings.Contains(got, "was restarted") != tt.restarted || !strings.Contains(got, "NFS4ERR_GRACE") {
				t.Errorf("%s over %v: %s", tt.name, over, got)
			}
		}
	}
}
