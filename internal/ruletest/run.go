package ruletest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
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
	for _, s := range r.Fires {
		t.Run("fires: "+s.Name, func(t *testing.T) {
			each(t, s, func(t *testing.T, over scene.Transport) { play(t, list, r, s, over, fired) })
		})
	}
	for _, s := range r.Silent {
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
	if r.Severity < rules.Note || r.Severity > rules.Error {
		t.Errorf("%s has no severity", r.ID)
	}
	if len(r.On) == 0 && len(r.OnCapture) == 0 {
		t.Errorf("%s looks at nothing", r.ID)
	}
	if len(r.Fires) == 0 || len(r.Silent) == 0 {
		t.Errorf("%s has %d samples that fire it and %d that do not", r.ID, len(r.Fires), len(r.Silent))
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
	found := Check(t, list, framesOf(t, p))
	known := make(map[string]bool)
	for _, o := range list {
		known[o.Family()] = true
	}
	var met []*rules.Finding
	for _, w := range p.Wants {
		if strings.HasPrefix(w.Rule, r.ID) {
			fired[w.Rule] = true
		}
		if family, _, _ := strings.Cut(w.Rule, "-"); !known[family] {
			continue // only some families look
		}
		var near []string
		i := slices.IndexFunc(found, func(f *rules.Finding) bool {
			if f.ID() != w.Rule || slices.Contains(met, f) {
				return false
			}
			why := differs(&w, f)
			if why != "" {
				near = append(near, why)
			}
			return why == ""
		})
		if i < 0 {
			t.Errorf("line %d: no %s %s", w.Line, w.Rule, strings.Join(near, "; "))
			continue
		}
		met = append(met, found[i])
	}
	for _, f := range found {
		if slices.Contains(met, f) {
			continue
		}
		if f.Severity == rules.Error || f.Rule.ID == r.ID {
			t.Errorf("not wanted: %s", describe(f))
		}
	}
	for _, f := range found {
		complete(t, f)
	}
	if t.Failed() {
		for _, f := range found {
			t.Log("found: " + describe(f))
		}
	}
}

// complete checks what every finding must tell.
func complete(t *testing.T, f *rules.Finding) {
	if f.Message == "" || len(f.Frames) == 0 || f.Count == 0 || f.WhatToDo() == "" {
		t.Errorf("incomplete: %s", describe(f))
	}
	if f.Letter != "" && f.Rule.Case(f.Letter) == nil {
		t.Errorf("%s has no case %q", f.Rule.ID, f.Letter)
	}
}

// differs says in what a finding is not the one wanted, "" in nothing.
func differs(w *scene.Want, f *rules.Finding) string {
	if f.Connection != nil && f.Connection.ID != w.Connection+1 {
		return fmt.Sprintf("(connection %d, not %d)", f.Connection.ID, w.Connection+1)
	}
	if len(w.Frames) > 0 && !slices.Contains(w.Frames, int(f.Frame.Number)) {
		return fmt.Sprintf("(frame %d, not of %v)", f.Frame.Number, w.Frames)
	}
	if !w.Exact {
		return ""
	}
	var got []scene.Place
	for _, p := range f.Octets {
		got = append(got, scene.Place{Frame: int(p.Ref.Number), Offset: p.Offset, Length: p.Length})
	}
	if !slices.Equal(got, w.Places) {
		return fmt.Sprintf("(octets %v, not %v)", got, w.Places)
	}
	return ""
}

func describe(f *rules.Finding) string {
	at := "capture"
	if f.Connection != nil {
		at = fmt.Sprintf("connection %d", f.Connection.ID)
	}
	doubt := ""
	if f.Doubt != "" {
		doubt = " (" + f.Doubt + ")"
	}
	return fmt.Sprintf("%s %s: %s frame %d, %d times: %s%s", f.Severity, f.ID(), at, f.Frame.Number, f.Count, f.Message, doubt)
}
