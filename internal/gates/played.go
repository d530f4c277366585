package main

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// played is a scene, and what the rules say of it.
type played struct {
	scene    *scene.Scene
	findings []*finding.Finding
	shut     map[string]bool // the limitations that were shut when a rule asked them
}

// play plays a text, asks the rules, and notes which limitation applies for one of them.
func play(list []*rules.Rule, text string, over scene.Transport, of *rules.Rule) (*played, error) {
	p, err := scene.Play(text, over)
	if err != nil {
		return nil, err
	}
	source, err := p.Source()
	if err != nil {
		return nil, err
	}
	var frames []capture.Frame
	for f := new(capture.Frame); source.Next(f) == nil; {
		f.Data = slices.Clone(f.Data)
		frames = append(frames, *f)
	}
	shut := make(map[string]bool)
	found, err := ruletest.FindingsOf(list, frames, func(by rules.Asker, g rules.Limitation, is bool) {
		if is && (by.Rule == of || by.Rule == nil) {
			shut[g.String()] = true
		}
	})
	return &played{p, found, shut}, err
}

// shutBeside are the limitation applies here and are open in another, in words.
func (p *played) shutBeside(o *played) string {
	var list []string
	for g := range p.shut {
		if !o.shut[g] {
			list = append(list, g)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// findingOf is the finding with an ID, nil if there is none.
func (p *played) findingOf(id string) *finding.Finding {
	i := slices.IndexFunc(p.findings, func(f *finding.Finding) bool { return f.ID() == id })
	if i < 0 {
		return nil
	}
	return p.findings[i]
}

// names reports whether a rule found anything, by whatever case.
func (p *played) names(r *finding.Rule) bool {
	return slices.ContainsFunc(p.findings, func(f *finding.Finding) bool { return f.Rule == r })
}

// accuses are the IDs of its errors that are certain.
func (p *played) accuses() (ids []string) {
	for _, f := range p.findings {
		if f.Severity == finding.Error && f.Doubt == "" {
			ids = append(ids, f.ID())
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// scenarios are those of a rule: the samples that fire it, and are found after healthy
// RPCs too.
func scenarios(list []*rules.Rule, r *rules.Rule) (all []*scenario, err error) {
	fires, _ := r.Samples()
	for _, sample := range fires {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			if sample.Over == rules.IWARP && over == scene.RoCE || sample.Over == rules.RoCE && over == scene.IWARP {
				continue
			}
			p, err := scene.Play(sample.Text(), over)
			if err != nil {
				return nil, err
			}
			wanted := map[string]bool{}
			for _, w := range p.Wants {
				if id := w.Rule; (id == r.ID || r.Case(id[min(len(id), len(r.ID)):]) != nil && id[:len(r.ID)] == r.ID) && !wanted[id] {
					wanted[id] = true
					s := &scenario{rule: r, id: id, name: sample.Name, over: over}
					if s.complete(list, sample) {
						all = append(all, s)
					}
				}
			}
		}
	}
	return all, nil
}

// complete arranges healthy RPCs around the sample so that it is found. It reports whether
// it is.
func (s *scenario) complete(list []*rules.Rule, sample rules.Sample) bool {
	for _, a := range []arrangement{{true, true}, {false, true}, {true, false}, {false, false}} {
		s.arranged(sample.Lines(), a)
		if s.beside == 0 || len(s.before) < healthyRPCs {
			continue
		}
		p, err := play(list, s.render(&treatment{}, nil), s.over, s.rule)
		if err == nil && p.findingOf(s.id) != nil {
			s.found = p
			return true
		}
	}
	return false
}
