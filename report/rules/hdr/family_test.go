package hdr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/hdr"
)

// check plays a text over a transport and asks the rules of the family.
func check(t *testing.T, text string, over scene.Transport) []*finding.Finding {
	t.Helper()
	frames := ruletest.Frames(t, text, over)
	return ruletest.Check(t, hdr.Rules(), frames)
}

// TestSeverities holds the findings of samples against the severity that the case
// or what excuses it gives them.
func TestSeverities(t *testing.T) {
	lowered := map[string]finding.Severity{
		"a length rounded up":                                finding.Warning,
		"RDMA Writes into a Reply chunk that is not used":    finding.Note,
		"a client without private data pads its data":        finding.Warning,
		"version 2 is tried and refused":                     finding.Note,
		"a call with another XID inside gets a reply":        finding.Note,
		"a server refuses two Write chunks":                  finding.Warning,
		"a server refuses two Write chunks of version 2":     finding.Warning,
		"an old client is done with what it read":            finding.Warning,
		"a server refuses an empty Write chunk":              finding.Warning,
		"the connection ends with an empty Write chunk open": finding.Warning,
	}
	for _, r := range hdr.Rules() {
		fires, _ := r.Samples()
		for _, s := range fires {
			want, special := lowered[s.Name]
			delete(lowered, s.Name)
			for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
				for _, f := range check(t, s.Text(), over) {
					if f.Rule.ID != r.ID {
						continue
					}
					expect := r.Severity
					if c := r.Case(f.Letter); c != nil {
						expect = c.Severity
					}
					if special {
						expect = want
					}
					if f.Severity != expect {
						t.Errorf("%s, %s: %s is of severity %v, not %v", r.ID, s.Name, f.ID(), f.Severity, expect)
					}
				}
			}
		}
	}
	for name := range lowered {
		t.Errorf("no sample is called %q", name)
	}
}

// TestMayBeAnswer asks that nothing is reported of a call without its Position-Zero Read
// chunk where a reverse call, which it answers, may be missing from the capture.
func TestMayBeAnswer(t *testing.T) {
	text := `
connect
call 1 NFS3 GETATTR
reply 1
    drop
call 2 NFS3 GETATTR
    replychunk 0x1001 4096
    proc NOMSG
    payload none
error 2 ERR_CHUNK
call 3 NFS3 GETATTR
reply 3
disconnect`
	for _, f := range check(t, text, scene.RoCE) {
		if f.Severity == finding.Error {
			t.Errorf("%s: %s", f.ID(), f.Message)
		}
	}
}

// TestShapeTakenBefore asks that a shape of chunks is told once only, and not at
// all after the responder took it.
func TestShapeTakenBefore(t *testing.T) {
	const exchange = `
call %[1]d NFS4 COMPOUND [PUTFH{object="fh"} READ{count=100} READ{count=100}]
    write 0x1001 %[2]s
    write 0x1002 100
reply %[1]d [PUTFH READ{data=bytes(100)} READ{data=bytes(100)}]
`
	text := "connect\n" + fmt.Sprintf(exchange, 1, "100") + fmt.Sprintf(exchange, 2, "100") +
		fmt.Sprintf(exchange, 3, "60 0x1003 40") + "disconnect\n"
	found := check(t, text, scene.RoCE)
	if len(found) != 1 || found[0].ID() != "HDR-016" || found[0].Count != 1 {
		t.Fatalf("found %v", found)
	}
}

// TestFrontMissing asks that nothing is reported of a long call whose first bytes are
// not in the capture.
func TestFrontMissing(t *testing.T) {
	const text = `
connect pmtu=1024
call 1 NFS3 WRITE count=3000 data=bytes(3000)
    long 0x1001 4096
    drop frame %d
reply 1 count=3000
disconnect`
	for frame := 1; frame <= 6; frame++ {
		for _, f := range check(t, fmt.Sprintf(text, frame), scene.RoCE) {
			t.Errorf("without frame %d: %s: %s", frame, f.ID(), f.Message)
		}
	}
}

// TestCutCall asks that an RDMA_ERROR for a call that the snap length cut claims nothing
// of what that call had.
func TestCutCall(t *testing.T) {
	const text = `
connect
call 1 NFS3 READ count=100
    write 0x1001 100
error 1 ERR_CHUNK
disconnect
snap 110`
	found := check(t, text, scene.IWARP)
	if len(found) != 1 || found[0].ID() != "HDR-014" || strings.Contains(found[0].Message, "nothing") || len(found[0].Evidence) != 1 {
		t.Errorf("found %v", found)
	}
}

// TestErrorForNoCall holds that what an RDMA_ERROR answers is not said to be missing where the
// capture has it.
func TestErrorForNoCall(t *testing.T) {
	const text = "call 0 NFS3 NULL\nreply 0\ncall 1 NFS3 NULL\n    rpc mtype=2\nerror 1 ERR_CHUNK\ncall 2 NFS3 NULL\nreply 2\n"
	for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
		var said []string
		for _, f := range check(t, text, over) {
			said = append(said, f.ID()+": "+f.Message)
		}
		if want := "HDR-014: the server sent ERR_CHUNK in answer to a message that is not a call"; strings.Join(said, "\n") != want {
			t.Errorf("over %s: %q, want %q", over, said, want)
		}
	}
}
