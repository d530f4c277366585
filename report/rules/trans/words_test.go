package trans_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A packet that goes again is explained by a time-out only if that has gone by.
func TestReasonToSendAgain(t *testing.T) {
	const late = "although nobody requested it, as after a timeout"
	for name, c := range map[string]struct{ connect, between, want string }{
		"at once":                       {"connect acktimeout=14", "wait 37us", "without a NAK in the capture"},
		"behind the time-out":           {"connect acktimeout=14", "wait 68ms", late}, // 4.096 us * 2^14 are 67 ms
		"before it":                     {"connect acktimeout=14", "wait 60ms", "without a NAK in the capture"},
		"no time-out":                   {"connect acktimeout=0", "wait 5s", "without a NAK in the capture"},
		"no setup":                      {"setup", "wait 5s", "without a NAK in the capture"},
		"asked for":                     {"connect acktimeout=14", "nak server sequence\nwait 5s", "because the receiver requested it"},
		"asked for, and nothing before": {"connect acktimeout=14", "nak server sequence\nwait 1s", "because the receiver requested it"},
		"not ready":                     {"connect acktimeout=14", "rnr server 14\nwait 1s", "because the receiver was not ready"},
	} {
		t.Run(name, func(t *testing.T) {
			drop := ""
			if strings.Contains(name, "nothing before") {
				drop = "    drop frame 1\n"
			}
			text := c.connect + "\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 NULL\n    noack\n" + drop +
				"call 3 NFS3 NULL\n    noack\n" + strings.ReplaceAll(c.between, "sequence", "sequence of 2") + "\nresend 2\nreply 2\nreply 3\ndisconnect\n"
			got := handshakeOf(t, text, scene.RoCE, "TRANS-002")
			if len(got) != 1 || !strings.HasSuffix(got[0].Message, c.want) {
				t.Fatalf("found %d, not one that says %q: %v", len(got), c.want, messages(got))
			}
		})
	}
}

func messages(list []*finding.Finding) (m []string) {
	for _, f := range list {
		m = append(m, f.Message)
	}
	return m
}

// TCP's troubles are told one by one, and a note that there are no CRCs explains
// none of them.
func TestTroubleOfTCP(t *testing.T) {
	const text = `
		connect
		call 1 NFS3 NULL
		    noack
		    edit frame 1 48 hex(0000)
		wait 300ms
		resend 1
		reply 1
		resend 1
		wait 1ms
		reset server`
	got := handshakeOf(t, text, scene.IWARP, "TRANS-013b")
	for _, want := range []string{"window of the client", "retransmits", "resets"} {
		n := 0
		for _, f := range got {
			if strings.Contains(f.Message, want) {
				n++
			}
			if f.Cause != nil {
				t.Errorf("%q is explained by %s", f.Message, f.Cause.ID())
			}
		}
		if n != 1 {
			t.Errorf("%d findings say %q: %v", n, want, messages(got))
		}
	}
	if len(handshakeOf(t, text, scene.IWARP, "TRANS-011e")) != 1 {
		t.Error("no TRANS-011e, which the test is about")
	}
}

// That a peer is silent is certain only if the last try is not needed for it.
func TestSilentPeer(t *testing.T) {
	const again = "wait 500ms\nresend 2\n"
	for tries, want := range map[int]finding.Severity{1: 0, 2: finding.Warning, 3: finding.Error} {
		text := "connect retry=2 acktimeout=16\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 NULL\n    noack\n" + strings.Repeat(again, tries) + "wait 3s\ndisconnect\n"
		got := handshakeOf(t, text, scene.RoCE, "TRANS-006")
		switch {
		case want == 0 && len(got) > 0:
			t.Errorf("%d tries: found %v", tries, messages(got))
		case want != 0 && (len(got) != 1 || got[0].Severity != want || (got[0].Doubt == "") != (want == finding.Error)):
			t.Errorf("%d tries: found %v, want one of severity %v", tries, messages(got), want)
		}
	}
}
