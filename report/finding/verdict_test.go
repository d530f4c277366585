package finding_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// judged is the verdict on a scene, as one text.
func judged(t *testing.T, over scene.Transport, text string) string {
	t.Helper()
	return judgedFrames(t, ruletest.Frames(t, strings.ReplaceAll(text, "\n\t\t\t", "\n"), over))
}

// judgedFrames is the verdict on frames.
func judgedFrames(t *testing.T, frames []capture.Frame) string {
	t.Helper()
	var v finding.Verdict
	e := finding.Ending{Summary: dissect.Summary{Frames: 1, Connections: 1, RPCs: 1}}
	byConnection := make(map[*dissect.Connection][]*finding.Finding)
	var order []*dissect.Connection
	for _, f := range ruletest.Check(t, catalogue.All(), frames) {
		if byConnection[f.Connection] == nil {
			order = append(order, f.Connection)
		}
		byConnection[f.Connection] = append(byConnection[f.Connection], f)
	}
	for _, c := range order {
		v.Add(c, finding.Roots(byConnection[c]))
	}
	list, _ := v.Sentences(&e)
	return strings.ReplaceAll(strings.Join(list, " "), "\u00a0", " ")
}

// TestVerdict holds which cause stands first, where a loss was, and that nothing is blamed
// that the frames do not show.
func TestVerdict(t *testing.T) {
	const roce, iwarp = scene.RoCE, scene.IWARP
	for name, c := range map[string]struct {
		over  scene.Transport
		scene string
		want  []string
		never []string
	}{
		"a Send that was lost before the capture": {roce, `
			connect
			call 1 NFS3 NULL
			reply 1
			call 2 NFS3 NULL
			    noack
			    drop frame 1
			wait 5ms
			call 3 NFS3 NULL
			    noack
			wait 20ms
			resend 2
			reply 2
			reply 3
			disconnect`, []string{"lost at least 1 frame from the client", "before it reached the capture"}, []string{"behind"}},
		"a Send that was lost behind the capture": {roce, `
			connect
			call 1 NFS3 NULL
			    noack
			nak server sequence
			resend 1
			reply 1
			disconnect`, []string{"beyond the capture", "1 time"}, []string{"before it reached"}},
		"a Send that is sent twice after a time-out": {roce, `
			connect
			call 1 NFS3 NULL
			    noack
			wait 2s
			resend 1
			wait 2s
			resend 1
			reply 1
			disconnect`, []string{"was sent 3 times in 4", "2 timeouts of up to 2", "or its acknowledgement was lost before"}, []string{"in the server"}},
		"a segment that is sent again after a time-out": {iwarp, `
			connect
			call 1 NFS3 NULL
			    noack
			wait 2s
			resend 1
			reply 1
			disconnect`, []string{"was sent 2 times in 2"}, []string{"lost at least", "in the server"}},
		"two packets that change places": {roce, `
			connect
			call 1 NFS3 WRITE data=bytes(1500)
			    noack
			    late 1 frame 1
			reply 1
			disconnect`, nil, []string{"lost", "network"}},
		"a mirror that gives a frame twice": {roce, `
			connect
			call 1 NFS3 NULL
			    dup frame 1
			reply 1
			disconnect`, nil, []string{"lost", "again"}},
		"two frames too large for the way, lost again and again": {roce, `
			connect
			call 1 NFS3 NULL
			reply 1
			call 2 NFS3 WRITE data=bytes(904)
			    noack
			nak server sequence
			resend 2
			wait 2s
			resend 2
			wait 2s
			resend 2
			disconnect client
			connect
			call 3 NFS3 NULL
			reply 3
			call 4 NFS3 WRITE data=bytes(904)
			    noack
			nak server sequence
			resend 4
			wait 2s
			resend 4
			disconnect client`, []string{"requested retransmission 2 times, and 3 times more they were retransmitted without a request", "All of them carry 1,024 bytes", "3 timeouts of up to 2", "smaller MTU"}, nil},
		"nothing listens": {roce, `
			reject reason=8`, []string{"reject"}, []string{"network", "Nothing wrong"}},
		"an error is above a slow path": {roce, `
			connect
			call 1 NFS3 NULL
			    noack
			wait 2s
			resend 1
			reply 1
			call 2 NFS3 GETATTR object="fh"
			    set 0 0x7777
			reply 2
			disconnect`, []string{"HDR-004"}, nil},
		"all is well": {roce, `
			connect
			call 1 NFS3 NULL
			reply 1
			disconnect`, []string{"Nothing wrong was found in 1 RPC"}, []string{"Besides"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := judged(t, c.over, c.scene)
			for _, text := range c.want {
				if !strings.Contains(got, text) {
					t.Errorf("no %q in %s", text, got)
				}
			}
			for _, text := range c.never {
				if strings.Contains(got, text) {
					t.Errorf("%q in %s", text, got)
				}
			}
		})
	}
}
