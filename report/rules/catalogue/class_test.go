package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// missNothing asks the rules about a capture, once about what they say that they need
// to see, and once about everything from the first frame of each connection on: they must
// find the same, in the same order.
func missNothing(t *testing.T, what string, list []*rules.Rule, frames []capture.Frame) {
	t.Helper()
	got, want := told(ruletest.Check(t, list, frames)), told(ruletest.CheckAll(t, list, frames))
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n%q\nasked about everything:\n%q", what, got, want)
	}
}

// TestNeedsLoseNothing has captures with many bytes changed.
func TestNeedsLoseNothing(t *testing.T) {
	t.Parallel()
	rounds := long.Pick(6, 60)
	all := catalogue.All()
	for _, name := range []string{"rxe-cb", "siw-cb", "rxe-basic", "rxe-krb", "version2-roce", "version2-iwarp", "fallback-roce"} {
		list := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		missNothing(t, name, all, list)
		list = list[:min(len(list), 1500)]
		for seed := range rounds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 11))
			data := make([]byte, 8*(1+rnd.IntN(60)))
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			missNothing(t, fmt.Sprintf("%s with seed %d", name, seed), all, damage.Edit(list, data))
		}
	}
}

// TestNeedsLoseNoSample has samples of all rules: every third, or all with the tag long.
func TestNeedsLoseNoSample(t *testing.T) {
	t.Parallel()
	all := catalogue.All()
	for _, r := range all {
		for i, s := range r.AllSamples() {
			if i%long.Pick(3, 1) != 0 {
				continue
			}
			for over, not := range map[scene.Transport]rules.Transport{scene.RoCE: rules.IWARP, scene.IWARP: rules.RoCE} {
				// Without the tag long, iWARP only for those that are over nothing else.
				if s.Over != not && (over == scene.RoCE || long.Tests || s.Over == rules.IWARP) {
					missNothing(t, fmt.Sprintf("%s, %s", r.ID, s.Name), all, ruletest.Frames(t, s.Text(), over))
				}
			}
		}
	}
}

// told are findings as lines.
func told(list []*finding.Finding) (lines []string) {
	for _, f := range list {
		lines = append(lines, fmt.Sprintf("%s %s %d x%d %s [%s]", f.Severity, f.ID(), f.Frame.Number, f.Count, f.Message, f.Doubt))
	}
	return lines
}

// TestNeeds holds that rules name the Knowledge that they build on: each of them alone asks
// for no other.
func TestNeeds(t *testing.T) {
	t.Parallel()
	known := make(map[rules.Keeping]bool)
	for _, r := range catalogue.All() {
		needed(known, r.Needs)
	}
	for _, r := range catalogue.All() {
		mine := make(map[rules.Keeping]bool)
		needed(mine, r.Needs)
		strange := &rules.Rule{Rule: finding.Rule{ID: "Z-001", Severity: finding.Note}, Check: rules.Check{On: []rules.Event{rules.OnEnd(func(c *rules.Conn, _ rules.Reporter) {
			for k := range known {
				if c.Keeps(k) && !mine[k] {
					t.Errorf("%s asks for the Knowledge %d that it does not need", r.ID, k)
				}
			}
		})}}}
		for _, s := range r.AllSamples() {
			over := scene.RoCE
			if s.Over == rules.IWARP {
				over = scene.IWARP
			}
			ruletest.Check(t, []*rules.Rule{r, strange}, ruletest.Frames(t, s.Text(), over))
		}
	}
}

// needed adds some Knowledge, and what it builds on, to a set.
func needed(set map[rules.Keeping]bool, list []rules.Knowledge) {
	for _, k := range list {
		set[k.Keeping] = true
		needed(set, k.Needs)
	}
}
