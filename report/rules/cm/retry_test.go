package cm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/cm"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A scene has no REQ that is retransmitted: here it is sent three times, so many nanoseconds apart.
func TestSetUpSentAgain(t *testing.T) {
	for pause, want := range map[int64]string{
		1:   "setup messages were retransmitted 2 times",
		4e9: "the client's REQ was sent 3 times in 8.00 s before an answer was captured",
	} {
		found := ruletest.Check(t, cm.Rules(), asked(t, pause))
		if len(found) != 1 || found[0].ID() != "CM-007" || found[0].Message != want || (found[0].Severity == finding.Warning) != (pause > 1) {
			t.Errorf("%d findings, want %s", len(found), want)
			for _, f := range found {
				t.Log(f.ID(), f.Severity, f.Message, f.Evidence)
			}
		}
	}
}

// An MPA Request comes as soon as TCP lets it: here the SYN was sent long before.
func TestConnectedLate(t *testing.T) {
	for early, want := range map[int64]int{1e8: 0, 31e9: 1} {
		list := ruletest.Frames(t, conversation, scene.IWARP)
		list[0].Time -= early
		found := ruletest.Check(t, cm.Rules(), list)
		if len(found) != want || want > 0 && (found[0].ID() != "CM-007" || found[0].Severity != finding.Warning) {
			t.Errorf("%d ns early: %d findings", early, len(found))
			for _, f := range found {
				t.Log(f.ID(), f.Severity, f.Message)
			}
		}
	}
}

// A REP that the capture lacks has no later step of the client taken for a REQ that was retransmitted.
func TestNoREP(t *testing.T) {
	const text = "connect\ncall 1 NFS3 GETATTR\nreply 1\nwait 10s\ndisconnect client\n"
	list := ruletest.Frames(t, text, scene.RoCE)
	for _, f := range ruletest.Check(t, cm.Rules(), slices.Delete(list, 1, 2)) { // REQ, REP, RTU
		if strings.Contains(f.Message, "was sent") {
			t.Error(f.Message)
		}
	}
}

// A SYN that is retransmitted says how often it was; a copy in the capture is none.
func TestSYNSentAgain(t *testing.T) {
	for name, x := range map[string]struct {
		copies int
		pause  int64
		id     byte // that is added to the IP identification of each
		want   string
	}{
		"sent again":         {3, 7e9, 100, "the client's SYN was sent 3 times in 14.0 s before an answer was captured"},
		"sent again at once": {3, 1e8, 100, ""},
		"copied":             {2, 1, 0, ""},
	} {
		list := ruletest.Frames(t, conversation, scene.IWARP)
		syn := list[0]
		list = list[1:]
		for i := range x.copies {
			again := syn
			again.Data = slices.Clone(syn.Data)
			again.Data[19] += byte(i) * x.id
			again.Time -= int64(x.copies-1-i) * x.pause
			list = slices.Insert(list, i, again)
		}
		for i := range list {
			list[i].Number = int64(i + 1)
		}
		var got []string
		for _, f := range ruletest.Check(t, cm.Rules(), list) {
			got = append(got, f.Message)
		}
		if strings.Join(got, "\n") != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

const conversation = "connect\ncall 1 NFS3 GETATTR\nreply 1\ndisconnect\n"

func asked(t *testing.T, pause int64) (list []capture.Frame) {
	t.Helper()
	for _, f := range ruletest.Frames(t, conversation, scene.RoCE) {
		for i := range 3 {
			x := f
			x.Data = slices.Clone(f.Data)
			x.Data[19] += byte(100 * i) // the IP identification: no copy of the frame before
			var p link.Packet
			if p.Decode(x.Link, x.Data, int(x.Length), link.Options{}); !rocev2.SetICRC(x.Data, &p) {
				t.Fatal("no ICRC")
			}
			x.Number = int64(len(list) + 1)
			x.Time += int64(i) * pause
			if f.Number > 1 {
				x.Time += 2 * pause
			}
			if list = append(list, x); f.Number > 1 {
				break
			}
		}
	}
	return list
}
