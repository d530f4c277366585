package responder_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestViolations holds that what a captured server did wrong it does wrong to a live client
// too: the rule whose sample it is finds it again.
func TestViolations(t *testing.T) {
	for id, want := range map[string]int{"HDR-005": 5, "HDR-008": 2, "HDR-010": 7, "CREDIT-003": 2, "DDP-013": 2, "DDP-010": 2, "INV-003": 1, "ULB-004": 5} {
		i := slices.IndexFunc(catalogue.All(), func(r *rules.Rule) bool { return r.ID == id })
		again := 0
		fires, _ := catalogue.All()[i].Samples()
		for _, s := range fires {
			frames, err := play(t, s)
			if err != nil {
				continue
			}
			o := responder.Options{Specs: specs(t)}
			if _, err := responder.New(conversation(t, frames, 0), o); err != nil {
				continue // of version 2, which no live client speaks
			}
			f := fabric.New(fabric.SoftRoCE())
			c := conversation(t, frames, 0)
			_, left := serve(t, f, c, responder.Options{})
			plan, err := requester.NewPlan(c, requester.Options{Immediately: true, ReplyLimit: 300 * time.Millisecond})
			replaytest.Must(t, err)
			_, err = requester.Run(replaytest.Patience(t), f, at, plan)
			replaytest.Must(t, err)
			left()
			wire, err := f.Captured()
			replaytest.Must(t, err)
			for _, found := range ruletest.Check(t, catalogue.All(), wire) {
				if found.Rule.ID == id {
					again++
					break
				}
			}
		}
		if again < want {
			t.Errorf("%s: the rule finds %d of its %d samples again, fewer than %d", id, again, len(fires), want)
		}
	}
}

// play is a sample as a capture over RoCE, if it makes sense there.
func play(t *testing.T, s rules.Sample) ([]capture.Frame, error) {
	t.Helper()
	p, err := scene.Play(s.Text(), scene.RoCE)
	if err != nil {
		return nil, err
	}
	return framesOf(t, p.Frames), nil
}
