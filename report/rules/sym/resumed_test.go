package sym_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

const serverLeaves = "connect\ncall 1 NFS4 COMPOUND [SEQUENCE PUTROOTFH]\nreply 1\ncall 2 NFS4 COMPOUND [SEQUENCE PUTROOTFH]\nwait 100ms\ndisconnect server\nwait 3s\n"

// A reconnect says how long it took, and what became of the state.
func TestReconnect(t *testing.T) {
	for id, test := range map[string]struct{ text, want string }{
		"SYM-009a": {
			serverLeaves + "connect\ncall 3 NFS4 COMPOUND [SEQUENCE PUTROOTFH]\nreply 3\ndisconnect\n",
			"the client connected again 3.00 s after the server had ended the connection (DREQ) with 1 call unanswered",
		},
		"SYM-009b": {
			serverLeaves + "connect\ncall 3 NFS4 COMPOUND [SEQUENCE]\nreply 3 [SEQUENCE{NFS4ERR_BADSESSION}]\n" +
				"call 4 NFS4 COMPOUND [EXCHANGE_ID]\nreply 4\n" +
				"call 5 NFS4 COMPOUND [SEQUENCE PUTROOTFH OPEN{claim.delegate_type=OPEN_DELEGATE_NONE}]\nreply 5\n" +
				"wait 2s\ncall 6 NFS4 COMPOUND [SEQUENCE RECLAIM_COMPLETE]\nreply 6\ndisconnect\n",
			"the client connected again 3.00 s after the server had ended the connection (DREQ) with 1 call unanswered. " +
				"State was lost: SEQUENCE was answered with NFS4ERR_BADSESSION, the client identified itself again, it reclaimed 1 open, " +
				"all was reclaimed 2.00 s after that",
		},
	} {
		found := of(t, id, test.text, scene.RoCE)
		if len(found) != 1 || found[0].Message != test.want {
			t.Errorf("%s: %d findings: %v", id, len(found), found)
			for _, f := range found {
				t.Log(f.Message)
			}
		}
	}
}

// Nothing follows from a second mount while the first goes on, or from one that came before the first ended.
func TestNoReconnect(t *testing.T) {
	const unmounted = "connect\ncall 1 NFS4 COMPOUND [SEQUENCE PUTROOTFH]\nreply 1\ndisconnect client\nwait 3s\nconnect\ncall 3 NFS4 COMPOUND [SEQUENCE PUTROOTFH]\nreply 3\ndisconnect\n"
	for _, id := range []string{"SYM-009a", "SYM-009b"} {
		for _, text := range []string{unmounted, serverLeaves} {
			if found := of(t, id, text, scene.RoCE); len(found) != 0 {
				t.Errorf("%s: %s", id, found[0].Message)
			}
		}
	}
}
