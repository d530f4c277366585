package rules

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// recordedNews notes what a Watcher is told.
type recordedNews struct {
	fresh []*finding.Finding
	doubt []string
}

func (h *recordedNews) NewFinding(f *finding.Finding, _ *dissect.RPC) {
	h.fresh = append(h.fresh, f)
	h.doubt = append(h.doubt, f.Doubt)
}

func (h *recordedNews) RPCChecked(*dissect.RPC, []Reported) {}

// TestWatch holds that a Watcher receives a finding once, when the event ends that
// shows it, and once more when it becomes certain.
func TestWatch(t *testing.T) {
	moments := 0
	rule := &Rule{Rule: finding.Rule{ID: "A-001", Severity: finding.Warning}, Check: Check{On: []Event{OnAccess(0, func(_ *Conn, _ *dissect.Access, report Reporter) {
		moments++
		doubt := ""
		if moments < 3 {
			doubt = finding.DoubtLoss
		}
		if f := report.Moment("", at(int64(moments)), int64(moments), nil, doubt); f != nil {
			f.Messagef("moment %d", moments)
		}
	})}}}
	var h recordedNews
	taken := 0
	k := NewChecker([]*Rule{rule}, DefaultConfig(), func(_ *dissect.Connection, list []*finding.Finding) { taken += len(list) })
	k.Watch(&h)
	c := &dissect.Connection{Conn: &flow.Conn{ID: 1}}
	for n := range 4 {
		k.Access(&dissect.Access{Connection: c})
		if want := []int{1, 1, 2, 2}[n]; len(h.fresh) != want {
			t.Fatalf("after %d events %d findings were told, want %d", n+1, len(h.fresh), want)
		}
	}
	if h.fresh[0] != h.fresh[1] || h.doubt[0] != finding.DoubtLoss || h.doubt[1] != "" || h.fresh[1].Message != "moment 3" {
		t.Errorf("told were %+v, in doubt as %q", h.fresh, h.doubt)
	}
	k.Connection(c, true)
	if taken != 1 || len(h.fresh) != 2 {
		t.Errorf("%d findings were taken, %d told", taken, len(h.fresh))
	}
}
