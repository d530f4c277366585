package sym_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/sym"
)

// TestLastMessage holds that no time since the last message, and no number of open calls, is certain where frames before the
// end of the connection are missing from the capture, or were left out of a copy.
func TestLastMessage(t *testing.T) {
	for name, extra := range map[string]*capture.Extra{"whole": nil, "left out": {LeftOut: true}, "dropped": {Dropped: true}} {
		list := ruletest.Frames(t, "connect\ncall 1 NFS3 GETATTR\nreply 1\nwait 100ms\ndisconnect server\n", scene.RoCE)
		list[len(list)-2].Extra = extra // the DREQ
		var found *finding.Finding
		for _, f := range ruletest.Check(t, sym.Rules(), list) {
			if f.ID() == "SYM-009" {
				found = f
			}
		}
		if found == nil {
			t.Errorf("%s: no SYM-009", name)
			continue
		}
		counts := false
		for _, v := range found.Evidence {
			counts = counts || v.Name == "calls unanswered"
		}
		whole := extra == nil
		if counts != whole || (found.Doubt == "") != whole || strings.HasSuffix(found.Message, "after the last message") != whole {
			t.Errorf("%s: %q, doubt %q, calls are counted: %v", name, found.Message, found.Doubt, counts)
		}
	}
}
