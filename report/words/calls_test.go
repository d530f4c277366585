package words

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// TestCalls holds what is reported of calls that were slow and of those that failed, and which parts name an RPC, a
// connection or a frame.
func TestCalls(t *testing.T) {
	e := finding.Ending{Slow: finding.SlowCalls{{
		Connection: 3, Call: "NFS3 READ", XID: 0x3cdea83, Took: 4.62e9, Part: 4.57e9, In: "in time-outs", Reply: flow.Moment{Ref: flow.Ref{Number: 12}},
	}}}
	e.Connections = 4
	heading, list := Where{}.Calls(&e)
	if heading != "slowest calls" || len(list) != 1 || list[0].Label != "4.62 s" {
		t.Fatalf("%q: %+v", heading, list)
	}
	const want = "NFS3 READ" + NBSP + "0x03cdea83 of" + NBSP + "#3, frame" + NBSP + "12: 4.57 s of it in time-outs"
	if got := list[0].Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	named := ""
	for _, p := range list[0].Parts {
		if p.RPC != "" {
			named += " RPC " + p.RPC
		}
		if p.Connection != 0 || p.Frame.Number != 0 {
			named += " " + p.Text
		}
	}
	if named != " RPC 0x03cdea83 #3 frame"+NBSP+"12" {
		t.Errorf("it names%s", named)
	}
	e.Overview = []*finding.OverviewRow{{Severity: finding.Warning, Worst: "refused", Refused: true, Connections: 2}, {Worst: "else"}}
	if heading, list = (Where{}).Calls(&e); heading != "slowest calls, and calls that failed" || len(list) != 2 || list[1].Text() != "refused, on 2"+NBSP+"connections" {
		t.Errorf("%q: %+v", heading, list)
	}
	e.Slow = nil
	if heading, list = (Where{}).Calls(&e); heading != "calls that failed" || len(list) != 1 {
		t.Errorf("%q: %+v", heading, list)
	}
}
