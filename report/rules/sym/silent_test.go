package sym_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/sym"
)

// of are the findings of a rule about a scene.
func of(t *testing.T, id, text string, over scene.Transport) (list []*finding.Finding) {
	t.Helper()
	for _, f := range ruletest.Check(t, sym.Rules(), ruletest.Frames(t, text, over)) {
		if f.ID() == id {
			list = append(list, f)
		}
	}
	return list
}

// The time until a call that was lost after the capture is retransmitted is not the server's.
func TestTimeInTheServerIsProven(t *testing.T) {
	const lost = `
connect
call 1 NFS3 NULL
reply 1
call 2 NFS3 GETATTR
    noack
wait 3s
resend 2
reply 2
disconnect
`
	found := of(t, "SYM-002", lost, scene.RoCE)
	if len(found) != 1 || strings.Contains(found[0].Message, "in the server") {
		t.Errorf("%d findings: %v", len(found), found)
	}
	const slow = `
connect
call 1 NFS3 NULL
reply 1
call 2 NFS3 GETATTR
wait 3s
reply 2
disconnect
`
	for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
		if found := of(t, "SYM-002", slow, over); len(found) != 1 || !strings.Contains(found[0].Message, "in the server") {
			t.Errorf("%v: %d findings: %v", over, len(found), found)
		}
	}
}

// A stall in which something was retransmitted is the path's or the other adapter's.
func TestWhoseTurnItWas(t *testing.T) {
	again := of(t, "SYM-001", "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\n    noack\nwait 3s\nresend 2\nreply 2\ndisconnect\n", scene.RoCE)
	if len(again) != 1 || !strings.Contains(again[0].Message, "the client retransmitted frames") {
		t.Errorf("sent again: %v", again)
	}
}

// Frames that were overtaken, and frames that were captured twice, were not lost: no symptom
// follows from them.
func TestReorderingAndCopiesAreNoLoss(t *testing.T) {
	for name, text := range map[string]string{
		"overtaken": "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\n    late 1 frame 1\nreply 2\nwait 10s\ncall 3 NFS3 NULL\nreply 3\ndisconnect\n",
		"copied":    "connect\ncall 1 NFS3 NULL\n    dup\nreply 1\n    dup\nwait 10s\ncall 2 NFS3 GETATTR\n    dup\nreply 2\n    dup\ndisconnect\n",
		"corrupted": "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\n    flip frame 1 -8\nreply 2\nwait 10s\ncall 3 NFS3 NULL\nreply 3\ndisconnect\n",
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			for _, f := range ruletest.Check(t, sym.Rules(), ruletest.Frames(t, text, over)) {
				t.Errorf("%s over %v: %s %s", name, over, f.ID(), f.Message)
			}
		}
	}
}

// What a person waits for stands above trivia: no symptom but a pause is a note.
func TestSymptomsStandAboveNotes(t *testing.T) {
	for _, r := range sym.Rules() {
		if r.Severity == finding.Note && r.ID != "SYM-010" {
			t.Errorf("%s is a note", r.ID)
		}
	}
}
