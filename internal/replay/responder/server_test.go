package responder_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

var at = netip.AddrPortFrom(fabric.ServerAddr, 20049)

// sample is the n-th connection of a capture that ships, 0 for the first.
func sample(t *testing.T, name string, n int) *script.Conversation {
	t.Helper()
	return conversation(t, ruletest.Sample(t, "../../../samples/"+name+".pcap.zst"), n)
}

func conversation(t *testing.T, frames []capture.Frame, n int) *script.Conversation {
	t.Helper()
	c, err := replaytest.Conversation(t, frames, script.Options{Connection: n})
	replaytest.Must(t, err)
	return c
}

func specs(t *testing.T) []*types.Spec {
	t.Helper()
	s, err := nfs.Spec()
	replaytest.Must(t, err)
	return []*types.Spec{s}
}

// serve plays the server of a conversation on a fabric until the test's client has left.
func serve(t *testing.T, f *fabric.Fabric, c *script.Conversation, o responder.Options) (s *responder.Server, left func() *responder.Report) {
	t.Helper()
	o.Specs = specs(t)
	o.Connections = 1
	s, err := responder.New(c, o)
	replaytest.Must(t, err)
	listening, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.Serve(replaytest.Patience(t), f, at, func(netip.AddrPort) { close(listening) })
	}()
	<-listening
	return s, func() *responder.Report {
		replaytest.Must(t, <-ended)
		return s.Report()
	}
}

// TestServesTheCapturedClient holds that the client of a capture, which asks the same in other
// memory, gets the same from the responder: every call is matched, every reply equal.
func TestServesTheCapturedClient(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-basic", "rxe-cb", "siw-cb"} {
		for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
			t.Run(name+" on "+d.Name, func(t *testing.T) {
				c := sample(t, name, 0)
				f := fabric.New(d)
				_, left := serve(t, f, c, responder.Options{})
				plan, err := requester.NewPlan(c, requester.Options{Immediately: true})
				replaytest.Must(t, err)
				result, err := requester.Run(replaytest.Patience(t), f, at, plan)
				replaytest.Must(t, err)
				report := left()
				for _, e := range result.Exchanges {
					if !e.Same() {
						t.Errorf("%s (frame %d): %v %s %+v", e.Call.Name, e.Call.Request.Frame.Number, e.Outcome, e.Why, e.Differences)
					}
				}
				if result.Ended != nil || report.UnmatchedCalls() != 0 || len(report.Near) != 0 || report.Unused != 0 || report.Again != 0 || report.OtherData != 0 {
					t.Errorf("ended by %v; %+v", result.Ended, report)
				}
				t.Logf("%+v", report)
				held(t, f)
			})
		}
	}
}

// held holds that nothing is left open, and that what crossed has no fault but those of a
// test's own.
func held(t *testing.T, f *fabric.Fabric, own ...string) {
	t.Helper()
	if n := f.Left(); n != 0 {
		t.Errorf("%d connections and listeners are left", n)
	}
	frames, err := f.Captured()
	replaytest.Must(t, err)
	for _, found := range ruletest.Check(t, catalogue.All(), frames) {
		if found.Severity > finding.Note && !slices.Contains(own, found.ID()) {
			t.Errorf("%s in frame %d: %s", found.ID(), found.Frame.Number, found.Message)
		}
	}
}
