package cm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules/cm"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A scene has no REQ that is sent again: here it is sent three times.
func TestSetUpSentAgain(t *testing.T) {
	p, err := scene.Play("connect\ncall 1 NFS3 GETATTR\nreply 1\ndisconnect\n", scene.RoCE)
	if err != nil {
		t.Fatal(err)
	}
	source, err := p.Source()
	if err != nil {
		t.Fatal(err)
	}
	var list []capture.Frame
	for f := new(capture.Frame); source.Next(f) == nil; {
		for i := range 3 {
			x := *f
			x.Data = slices.Clone(f.Data)
			x.Data[19] += byte(100 * i) // the IP identification: no copy of the frame before
			var p link.Packet
			if p.Decode(x.Link, x.Data, int(x.Length), link.Options{}); !rocev2.SetICRC(x.Data, &p) {
				t.Fatal("no ICRC")
			}
			x.Number = int64(len(list) + 1)
			x.Time += int64(i)
			if list = append(list, x); f.Number > 1 {
				break
			}
		}
	}
	found := ruletest.Check(t, cm.Rules(), list)
	if len(found) != 1 || found[0].ID() != "CM-007" || !strings.Contains(found[0].Message, "sent again 2 times") {
		t.Errorf("%d findings", len(found))
		for _, f := range found {
			t.Log(f.ID(), f.Message, f.Evidence)
		}
	}
}
