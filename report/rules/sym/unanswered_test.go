package sym_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/sym"
	"github.com/rdmacap/rdmacap/rocev2"
)

// requests is a REQ that is sent some times, four seconds apart, and whatever of other frames.
func requests(t *testing.T, times int, more ...capture.Frame) (list []capture.Frame) {
	t.Helper()
	req := ruletest.Frames(t, "connect\n", scene.RoCE)[0]
	for i := range times {
		x := req
		x.Data = slices.Clone(req.Data)
		x.Data[19] += byte(100 * i) // the IP identification: no copy of the frame before
		var p link.Packet
		if p.Decode(x.Link, x.Data, int(x.Length), link.Options{}); !rocev2.SetICRC(x.Data, &p) {
			t.Fatal("no ICRC")
		}
		x.Time += int64(i) * 4e9
		list = append(list, x)
	}
	list = append(list, more...)
	for i := range list {
		list[i].Number = int64(i + 1)
	}
	return list
}

// A scene has no REQ that is retransmitted.
func TestRequestWithoutAnswer(t *testing.T) {
	later := ruletest.Frames(t, "connect clientaddr=192.0.2.77\nwait 60s\ncall 1 NFS3 NULL\nreply 1\n", scene.RoCE)
	for _, test := range []struct {
		name  string
		times int
		more  []capture.Frame
		want  bool
	}{
		{"four times, and the capture goes on", 4, later[3:], true},
		{"once", 1, later[3:], false},
		{"four times, and the capture ends", 4, nil, true},
	} {
		found := ruletest.Check(t, sym.Rules(), requests(t, test.times, test.more...))
		told := slices.ContainsFunc(found, func(f *finding.Finding) bool {
			return f.ID() == "SYM-004" && strings.Contains(f.Message, "sent 4 times in 12.0 s, and the capture has no answer")
		})
		if told != test.want {
			t.Errorf("%s: told %v", test.name, told)
			for _, f := range found {
				t.Log(f.ID(), f.Message)
			}
		}
	}
}
