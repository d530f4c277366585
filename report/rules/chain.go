package rules

import "github.com/rdmacap/rdmacap/report/finding"

// tie hangs each finding under the one of the same connection that explains it: of
// the rules that its rule names as causes, the first that found something before this
// one was reported. If both are about RPCs, and neither is Wide, they must have one in
// common.
func tie(list []*Finding) {
	for _, f := range list {
		f.replace(list)
		if cause := f.causeIn(list); cause != nil {
			f.Cause = &cause.Finding
			cause.Effects = append(cause.Effects, &f.Finding)
		}
	}
}

// replace finds what says the same better.
func (f *Finding) replace(list []*Finding) {
	for _, id := range f.Rule.Replaced {
		for _, g := range list {
			if g.Rule.ID == id && (!f.HasXID || f.shares(g)) {
				f.Instead = &g.Finding
				return
			}
		}
	}
}

func (f *Finding) causeIn(list []*Finding) (best *Finding) {
	for _, id := range f.Rule.Causes {
		for _, g := range list {
			if g == f || g.Rule.ID != id && g.ID() != id || !g.explains(f) {
				continue
			}
			if best == nil || g.closer(f, best) {
				best = g
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// explains reports whether g can be the cause of f: it is as grave as that asks for,
// it came before f was reported, and both are about one RPC, or what g is about came
// while that of f was open. Rules that are Wide look at the connection as a whole.
func (g *Finding) explains(f *Finding) bool {
	wide := f.Rule.Wide || g.Rule.Wide
	limit, time := f.first, f.firstTime
	if wide {
		limit, time = f.by, f.byTime
	}
	lossOf := g.Path != nil && g.Path == f.Path // it may show later than what it led to
	start := g.Start()                          // the worst of it may come later than what it led to
	if g.Severity == finding.Note && f.Severity > finding.Note || !lossOf && (start.Ref.Compare(limit) > 0 || start.Time > time) {
		return false
	}
	switch {
	case wide || !f.HasXID:
	case g.HasXID:
		if !f.shares(g) {
			return false
		}
	case f.since.Number > 0 && g.Last.Compare(f.since) < 0:
		return false
	}
	for up := &g.Finding; up != nil; up = up.Cause {
		if up == &f.Finding {
			return false // f explains g already
		}
	}
	return true
}

// closer reports whether g explains f better than another finding of the same rule.
func (g *Finding) closer(f, other *Finding) bool {
	if same := f.shares(g); same != f.shares(other) {
		return same
	}
	return g.Frame.Compare(other.Frame) > 0
}
