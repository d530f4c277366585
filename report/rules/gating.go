package rules

import "strings"

// Gates are those that a rule or a Knowledge asks, and what it makes of them.
type Gates []Gating

// A Gating is what becomes of findings where one of some gates is shut: of all that the
// rule can find, of some cases of it, or of what About names.
type Gating struct {
	Effect Effect
	Gates  []Gate
	Cases  string // their letters, "" for all
	About  string // "a missing answer", "" for all
	// After is what LostSince counts from, "" for the call.
	After string
}

// An Effect is what becomes of a finding where a gate is shut.
type Effect uint8

const (
	Silent         Effect = iota // there is none
	Likely                       // it is in doubt
	SilentOrLikely               // the one or the other, of which Limits tells
	Lower                        // it has a lower severity
	Detail                       // a part of the judgement is another one, of which Limits tells
)

// SilentIf declares gates that silence a rule.
func SilentIf(gates ...Gate) Gating { return Gating{Effect: Silent, Gates: gates} }

// LikelyIf declares gates that put its findings in doubt.
func LikelyIf(gates ...Gate) Gating { return Gating{Effect: Likely, Gates: gates} }

// SilentOrLikelyIf declares gates that silence it, or put its findings in doubt if
// something else speaks for them, of which Limits tells.
func SilentOrLikelyIf(gates ...Gate) Gating { return Gating{Effect: SilentOrLikely, Gates: gates} }

// LowerIf declares gates that lower the severity of its findings.
func LowerIf(gates ...Gate) Gating { return Gating{Effect: Lower, Gates: gates} }

// DetailIf declares gates that matter for a part of the judgement only: how long it waits,
// what it counts. Limits tells of them where that is worth to be known.
func DetailIf(gates ...Gate) Gating { return Gating{Effect: Detail, Gates: gates} }

// In is the same for some cases of the rule, by their letters: "ab".
func (g Gating) In(cases string) Gating {
	g.Cases = cases
	return g
}

// Of is the same for a part of what the rule finds: "a missing answer".
func (g Gating) Of(about string) Gating {
	g.About = about
	return g
}

// Since is the same where LostSince counts from something else than the call.
func (g Gating) Since(after string) Gating {
	g.After = after
	return g
}

// limits says when a rule is silent although it might be broken, and when its findings are
// only likely: what follows from its gates, and then what else limits it.
func limits(gates Gates, more string) string {
	said := gates.sentences()
	if more != "" {
		said = append(said, more)
	}
	return strings.Join(said, " ")
}

// sentences are what a person is told of the gates.
func (g Gates) sentences() (said []string) {
	for i := range g {
		if s := g[i].sentence(); s != "" {
			said = append(said, s)
		}
	}
	return said
}

// sentence is what a person is told of them: "Case b is silent where the capture has one
// direction only." It is "" for a detail.
func (g *Gating) sentence() string {
	effect := [...]string{Silent: "silent", Likely: "only likely", SilentOrLikely: "silent, or only likely,", Lower: "of lower severity", Detail: ""}[g.Effect]
	if effect == "" {
		return ""
	}
	var what, that, where, parts []string
	if g.About != "" {
		what = append(what, g.About)
	}
	for _, gate := range g.Gates {
		switch {
		case gate == Cut || gate == Protected:
			that = append(that, "that "+gate.String())
		case g.After != "":
			where = append(where, strings.Replace(gate.String(), "the call", g.After, 1))
		default:
			where = append(where, gate.String())
		}
	}
	if len(that) > 0 {
		what = append(what, "messages "+list(that, "or"))
	}
	if len(what) > 0 {
		parts = append(parts, "about "+list(what, "and"))
	}
	if len(where) > 0 {
		parts = append(parts, "where the capture "+list(where, "or"))
	}
	and := " "
	if g.About == "" {
		and = ", and "
	}
	s := effect + " " + strings.Join(parts, and) + "."
	switch letters := strings.Split(g.Cases, ""); len(letters) {
	case 0:
		return strings.ToUpper(s[:1]) + s[1:]
	case 1:
		return "Case " + letters[0] + " is " + s
	default:
		return "Cases " + list(letters, "and") + " are " + s
	}
}

// list is a, b and c.
func list(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
