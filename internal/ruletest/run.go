package ruletest

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/own/trial"
)

// Run tests one rule of a list, all of which look at its samples.
func Run(t *testing.T, list []*rules.Rule, id string) {
	i := slices.IndexFunc(list, func(r *rules.Rule) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("no rule %s", id)
	}
	r := list[i]
	literal(t, r)
	fired := make(map[string]bool)
	fires, silent := r.Samples()
	for _, s := range fires {
		t.Run("fires: "+s.Name, func(t *testing.T) {
			each(t, s, func(t *testing.T, over scene.Transport) { play(t, list, r, s, over, fired) })
		})
	}
	for _, s := range silent {
		t.Run("silent: "+s.Name, func(t *testing.T) {
			each(t, s, func(t *testing.T, over scene.Transport) {
				said := make(map[string]bool)
				if play(t, list, r, s, over, said); len(said) > 0 {
					t.Errorf("a near miss wants %v", said)
				}
			})
		})
	}
	for _, c := range r.Cases {
		if !fired[id+c.Letter] && !t.Failed() {
			t.Errorf("no sample fires %s%s", id, c.Letter)
		}
	}
}

// literal checks what every rule must tell.
func literal(t *testing.T, r *rules.Rule) {
	for name, text := range map[string]string{
		"Title": r.Title, "Since": r.Since, "Meaning": r.Meaning, "Why": r.Why, "Advice": r.Advice, "Reference": r.Reference,
	} {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s has no %s", r.ID, name)
		}
	}
	if r.Severity < finding.Note || r.Severity > finding.Error {
		t.Errorf("%s has no severity", r.ID)
	}
	if len(r.On) == 0 && len(r.OnCapture) == 0 {
		t.Errorf("%s looks at nothing", r.ID)
	}
	if fires, silent := r.Samples(); len(fires) == 0 || len(silent) == 0 {
		t.Errorf("%s has %d samples that fire it and %d that do not", r.ID, len(fires), len(silent))
	}
}

// each runs a test over the transports that a sample makes sense for.
func each(t *testing.T, s rules.Sample, do func(t *testing.T, over scene.Transport)) {
	if s.Over != rules.IWARP {
		t.Run("RoCE", func(t *testing.T) { do(t, scene.RoCE) })
	}
	if s.Over != rules.RoCE {
		t.Run("iWARP", func(t *testing.T) { do(t, scene.IWARP) })
	}
}

// play plays a sample and compares. It notes in fired what of the rule was wanted.
func play(t *testing.T, list []*rules.Rule, r *rules.Rule, s rules.Sample, over scene.Transport, fired map[string]bool) {
	p, err := scene.Play(s.Text(), over)
	if err != nil {
		t.Fatal(err)
	}
	frames := framesOf(t, p)
	if len(list) > 1 {
		Check(t, []*rules.Rule{r}, slices.Clone(frames)) // it must not rely on the Fields of the others
	}
	found := Check(t, list, frames)
	faults, wanted := trial.Compare(list, r, p, found)
	for _, id := range wanted {
		fired[id] = true
	}
	for _, f := range faults {
		if f.Line == 0 { // it is about no line of the sample
			t.Error(f.Reason)
			continue
		}
		t.Errorf("line %d: %s", f.Line, f.Reason)
	}
	for _, f := range found {
		complete(t, f)
	}
	if t.Failed() {
		for _, f := range found {
			t.Log("found: " + trial.Describe(f))
		}
	}
}

// complete checks what every finding must tell.
func complete(t *testing.T, f *finding.Finding) {
	if f.Message == "" || len(f.Frames) == 0 || f.Count == 0 || f.WhatToDo() == "" {
		t.Errorf("incomplete: %s", trial.Describe(f))
	}
	if f.Letter != "" && f.Rule.Case(f.Letter) == nil {
		t.Errorf("%s has no case %q", f.Rule.ID, f.Letter)
	}
}
