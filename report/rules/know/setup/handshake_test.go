package setup_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

// handshakes are those of the connections of a capture, each when that was over.
func handshakes(t *testing.T, list []capture.Frame, end func(c *rules.Conn, b *setup.Handshake)) {
	t.Helper()
	ended := 0
	ruletest.Check(t, []*rules.Rule{{Rule: finding.Rule{ID: "T-001"}, Check: rules.Check{Needs: []rules.Knowledge{setup.Knowledge()}, On: []rules.Event{
		rules.OnEnd(func(c *rules.Conn, _ rules.Reporter) { ended++; end(c, setup.Of(c)) }),
	}}}}, list)
	if ended == 0 {
		t.Fatal("no connection")
	}
}

const text = `
connect client=8192/4096,inv server=4096/2048 clientird=7 clientord=1 serverird=2 serverord=5
call 1 NFS3 GETATTR
reply 1
disconnect server
`

func TestHandshake(t *testing.T) {
	for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
		list := ruletest.Frames(t, text, over)
		handshakes(t, list, func(c *rules.Conn, b *setup.Handshake) {
			client, server := b.Declared[c.ClientEnd], b.Declared[c.ClientEnd.Peer()]
			if !client.Captured || !client.Depths() || client.Takes.Value != 7 || client.Issues.Value != 1 || server.Takes.Value != 2 || server.Issues.Value != 5 {
				t.Errorf("%v: %+v, %+v", over, client, server)
			}
			for e, want := range map[flow.End]string{c.ClientEnd: "\xf6\xab\x0e\x18\x01\x01\x07\x03", c.ClientEnd.Peer(): "\xf6\xab\x0e\x18\x01\x00\x03\x01"} {
				p := b.PrivateAt(c, e, 0, 8)
				if got := hexBytes(list, p); got != want {
					t.Errorf("%v: the private data of end %d are at %v: %x", over, e, p, got)
				}
				if p := b.Bytes(e, 500, 100); p.Length != 0 {
					t.Errorf("%v: bytes behind the end are at %v", over, p)
				}
			}
			if got := hexBytes(list, client.Place(client.Takes)); got[len(got)-1] != 7 {
				t.Errorf("%v: what the client takes is at %v: %x", over, client.Place(client.Takes), got)
			}
			if got := hexBytes(list, server.Place(server.Issues)); got[len(got)-1] != 5 {
				t.Errorf("%v: what the server issues is at %v: %x", over, server.Place(server.Issues), got)
			}
			if !b.Ended || b.Over.From != c.ClientEnd.Peer() || b.Again != 0 {
				t.Errorf("%v: the end is %+v, %v; sent again %d", over, b.Over, b.Ended, b.Again)
			}
			if s := b.Ladder(c); !strings.Contains(s, " from the client in frame ") || !strings.Contains(s, " later; ") {
				t.Errorf("%v: %s", over, s)
			}
			for e, want := range map[flow.End]int{c.ClientEnd: 2048, c.ClientEnd.Peer(): 4096} {
				if l, known := setup.LimitOf(c, e); !known || l.Bytes != want || l.Default {
					t.Errorf("%v: the limit of end %d is %+v, %v", over, e, l, known)
				}
			}
		})
	}
}

func hexBytes(list []capture.Frame, p flow.Place) string {
	if p.Length == 0 {
		return "\x00"
	}
	return string(list[p.Ref.Number-1].Data[p.Offset : p.Offset+p.Length])
}

func TestLimitOf(t *testing.T) {
	for _, test := range []struct {
		connect          string
		client, server   int // 0: not known
		isDefault, other bool
	}{
		{"connect client=none server=none", 1024, 1024, true, true},
		{"connect client=4096/2048 server=none", 1024, 2048, true, false},
		{"connect client=none server=4096/8192", 8192, 1024, false, true},
		{"setup", 0, 0, false, false},
	} {
		list := ruletest.Frames(t, test.connect+"\ncall 1 NFS3 GETATTR\nreply 1\ncall 2 NFS3 GETATTR\nreply 2\n", scene.RoCE)
		handshakes(t, list, func(c *rules.Conn, _ *setup.Handshake) {
			a, _ := setup.LimitOf(c, c.ClientEnd)
			b, _ := setup.LimitOf(c, c.ClientEnd.Peer())
			if a.Bytes != test.client || b.Bytes != test.server || a.Default != test.isDefault || b.Default != test.other {
				t.Errorf("%s: %+v and %+v", test.connect, a, b)
			}
		})
	}
}

// A stranger who connects and disconnects without an end costs no more memory.
func TestLadderIsBounded(t *testing.T) {
	one := ruletest.Frames(t, text, scene.RoCE)
	last := one[len(one)-1]
	list := one[:len(one)-1]
	for i := range 200 {
		f := last
		f.Data = slices.Clone(f.Data)
		f.Time += int64(i) * 1e6
		f.Number = int64(len(list) + 1)
		f.Data[18], f.Data[19] = byte(i>>8), byte(i) // the IP identification: no copy of the frame before
		var p link.Packet
		if p.Decode(f.Link, f.Data, int(f.Length), link.Options{}); !rocev2.SetICRC(f.Data, &p) {
			t.Fatal("no ICRC")
		}
		list = append(list, f)
	}
	handshakes(t, list, func(c *rules.Conn, b *setup.Handshake) {
		if len(b.Steps) > 16 || len(b.Steps)+b.Left < 100 {
			t.Errorf("%d steps and %d left out", len(b.Steps), b.Left)
		}
		if s := b.Ladder(c); len(s) > 2000 || !strings.Contains(s, "more") {
			t.Errorf("%d: %s", len(s), s)
		}
	})
}
