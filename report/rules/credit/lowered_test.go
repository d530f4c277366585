package credit_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/credit"
)

// overrunOf is the finding of CREDIT-001 about a scene, nil if there is none.
func overrunOf(t *testing.T, text string, over scene.Transport) *finding.Finding {
	t.Helper()
	for _, f := range ruletest.Check(t, credit.Rules(), ruletest.Frames(t, text, over)) {
		if f.ID() == "CREDIT-001" {
			return f
		}
	}
	return nil
}

// A lowered grant that was acknowledged makes calls above it likely to be too many; at once, or without an
// acknowledgement, nothing is reported; seconds later it is certain.
func TestLoweredGrant(t *testing.T) {
	const before = "connect\ncall 1 NFS3 GETATTR\nreply 1\n    credits 8\ncall 2 NFS3 GETATTR\nreply 2\n    credits 2\n"
	const after = "call 3 NFS3 GETATTR\ncall 4 NFS3 GETATTR\ncall 5 NFS3 GETATTR\nreply 3\nreply 4\nreply 5\ndisconnect\n"
	for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
		for wait, want := range map[string]struct{ found, certain bool }{
			"1ms": {}, "50ms": {found: true}, "3s": {true, true},
		} {
			f := overrunOf(t, before+"wait "+wait+"\n"+after, over)
			if (f != nil) != want.found || f != nil && (f.Doubt == "") != want.certain {
				t.Errorf("over %v after %s: %v", over, wait, f)
			}
		}
	}
	if f := overrunOf(t, before+"    noack\nwait 50ms\n"+after, scene.RoCE); f != nil {
		t.Errorf("without an acknowledgement: %s, %q", f.Message, f.Doubt)
	}
}

// The finding is about the call with most others open, not about the first one too many.
func TestPeak(t *testing.T) {
	f := overrunOf(t, `
connect
call 1 NFS3 GETATTR
reply 1
    credits 2
call 2 NFS3 GETATTR
call 3 NFS3 GETATTR
call 4 NFS3 GETATTR
reply 2
    credits 2
call 5 NFS3 GETATTR
call 6 NFS3 GETATTR
reply 3
    credits 2
call 7 NFS3 GETATTR
call 8 NFS3 GETATTR
reply 4
reply 5
reply 6
reply 7
reply 8
disconnect
`, scene.RoCE)
	if f == nil || !strings.Contains(f.Message, "5 calls open") || f.Began.Ref.Number >= f.Frame.Number {
		t.Errorf("%+v", f)
	}
}
