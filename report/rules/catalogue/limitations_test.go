package catalogue_test

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// asked are the limitations that somebody asked, and the doubts that a rule had, by the letter
// of the case.
type asked struct {
	gates  map[rules.Asker]map[rules.Limitation]bool
	doubts map[*finding.Rule]map[[2]string]bool
}

// check asks rules about a capture, and notes what they ask.
func (a *asked) check(t *testing.T, list []*rules.Rule, frames []capture.Frame) {
	t.Helper()
	for i := range frames {
		frames[i].Number = int64(i + 1)
	}
	found := ruletest.CheckGates(t, list, frames, func(by rules.Asker, g rules.Limitation, _ bool) {
		if a.gates[by] == nil {
			a.gates[by] = make(map[rules.Limitation]bool)
		}
		a.gates[by][g] = true
	})
	for _, f := range found {
		if f.Doubt != "" {
			if a.doubts[f.Rule] == nil {
				a.doubts[f.Rule] = make(map[[2]string]bool)
			}
			a.doubts[f.Rule][[2]string{f.Letter, f.Doubt}] = true
		}
	}
}

// doubted are the limitations of which one was shut where a finding is in doubt for a reason;
// none where that is not about the capture.
func doubted(doubt string) []rules.Limitation {
	switch doubt {
	case finding.DoubtLate:
		return []rules.Limitation{rules.BeganLate}
	case finding.DoubtOneWay:
		return []rules.Limitation{rules.OneDirection}
	case finding.DoubtOrder:
		return []rules.Limitation{rules.Disordered}
	case finding.DoubtSnap:
		return []rules.Limitation{rules.Cut}
	case finding.DoubtLoss:
		return []rules.Limitation{rules.LostSince, rules.Lossy}
	}
	switch {
	case strings.HasPrefix(doubt, "frames are missing"):
		return []rules.Limitation{rules.LostSince}
	case strings.Contains(doubt, "no later message from the"):
		return []rules.Limitation{rules.NothingFollows}
	}
	return nil
}

// TestLimitations holds the limitations that rules and Knowledge declare against those that they
// ask: none is asked that is not declared, none declared that is never asked, and a
// finding is in doubt because of a limitation only where that is declared. Each rule looks
// alone at its samples, since what several rules work out together only the first of
// them asks for, and all of them look at the captures that ship; each of these is made
// worse, too.
func TestLimitations(t *testing.T) {
	t.Parallel()
	all, a := catalogue.All(), &asked{make(map[rules.Asker]map[rules.Limitation]bool), make(map[*finding.Rule]map[[2]string]bool)}
	every, seeds, turn := long.Pick(4, 1), long.Pick(1, 10), 0 // of the losses, which take turns
	worse := func(list []*rules.Rule, whole []capture.Frame) {
		a.check(t, list, slices.Clone(whole))
		for _, l := range losses() {
			if turn++; turn%every > 0 {
				continue
			}
			for seed := range seeds {
				a.check(t, list, l.of(slices.Clone(whole), rand.New(rand.NewPCG(uint64(seed), 13))))
			}
		}
	}
	for _, r := range all {
		for _, s := range r.AllSamples() {
			if s.Over != rules.IWARP {
				worse([]*rules.Rule{r}, ruletest.Frames(t, s.Text(), scene.RoCE))
			}
			if s.Over != rules.RoCE {
				worse([]*rules.Rule{r}, ruletest.Frames(t, s.Text(), scene.IWARP))
			}
		}
	}
	paths, err := filepath.Glob("../../../samples/*.pcap.zst")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		worse(all, ruletest.Sample(t, path))
	}
	for _, r := range all {
		a.rule(t, r)
	}
	known := knowledge(all)
	for by := range a.gates {
		if by.Rule == nil && !slices.ContainsFunc(known, func(k rules.Knowledge) bool { return k.Keeping == by.At }) {
			t.Errorf("a gate is asked by nobody: Knowledge %d", by.At)
		}
	}
	for _, k := range known {
		mine := make(map[rules.Limitation]bool) // of either end
		for g := range a.gates[rules.Asker{At: k.Keeping}] {
			mine[g.Kind()] = true
		}
		for g := range mine {
			if !slices.Contains(k.Limitations, g) {
				t.Errorf("the Knowledge %d checks a limitation that it does not declare: %v", k.Keeping, g)
			}
		}
		for _, g := range k.Limitations {
			if !mine[g] {
				t.Errorf("the Knowledge %d never checks a limitation that it declares: %v", k.Keeping, g)
			}
		}
	}
}

// rule holds one rule against its declaration.
func (a *asked) rule(t *testing.T, r *rules.Rule) {
	mine := a.gates[rules.Asker{Rule: r}]
	for g := range mine {
		if !slices.ContainsFunc(r.Limitations, func(x rules.Handling) bool { return slices.ContainsFunc(x.Limitations, g.Fits) }) {
			t.Errorf("%s checks a limitation that it does not declare: %v", r.ID, g)
		}
	}
	met := make(map[rules.Limitation]bool) // asked, or to be seen in a doubt
	for g := range mine {
		met[g.Kind()] = true
	}
	for _, k := range knowledge([]*rules.Rule{r}) {
		for _, g := range k.Limitations {
			met[g] = true
		}
	}
	for d := range a.doubts[&r.Rule] {
		letter, why := d[0], d[1]
		gates := doubted(why)
		fits := func(x rules.Handling) bool {
			return (x.Effect == rules.Likely || x.Effect == rules.SilentOrLikely) && (x.Cases == "" || letter != "" && strings.Contains(x.Cases, letter)) &&
				slices.ContainsFunc(x.Limitations, func(g rules.Limitation) bool { return slices.Contains(gates, g.Kind()) })
		}
		if len(gates) > 0 && !slices.ContainsFunc(r.Limitations, fits) {
			t.Errorf("%s%s is in doubt because of a limitation that it does not declare so: %s", r.ID, letter, why)
		}
		for _, g := range gates {
			met[g] = true
		}
	}
	for _, x := range r.Limitations {
		for _, g := range x.Limitations {
			if !met[g.Kind()] {
				t.Errorf("%s never checks a limitation that it declares: %v", r.ID, g)
			}
		}
		for _, letter := range x.Cases {
			if r.Case(string(letter)) == nil {
				t.Errorf("%s has gates for case %c, which it does not have", r.ID, letter)
			}
		}
	}
}

// knowledge is what rules need, and what that builds on.
func knowledge(list []*rules.Rule) []rules.Knowledge {
	known := make(map[rules.Keeping]rules.Knowledge)
	var add func(list []rules.Knowledge)
	add = func(list []rules.Knowledge) {
		for _, k := range list {
			known[k.Keeping] = k
			add(k.Needs)
		}
	}
	for _, r := range list {
		add(r.Needs)
	}
	return slices.Collect(maps.Values(known))
}
