package rules

import "strings"

// Limitations are those that a rule or a Knowledge checks, and how it handles them.
type Limitations []Handling

// A Handling is what becomes of findings where one of some limitations applies: of all that the
// rule can find, of some cases of it, or of what About names.
type Handling struct {
	Effect      Effect
	Limitations []Limitation
	Cases       string // their letters, "" for all
	About       string // "a missing answer", "" for all
	// After is what LostSince counts from, "" for the call.
	After string
}

// An Effect is what becomes of a finding where a limitation applies.
type Effect uint8

const (
	Silent         Effect = iota // there is none
	Likely                       // it is in doubt
	SilentOrLikely               // the one or the other, of which Limits tells
	Lower                        // it has a lower severity
	Detail                       // a part of the judgement is another one, of which Limits tells
)

// SilentIf declares limitations that silence a rule.
func SilentIf(list ...Limitation) Handling { return Handling{Effect: Silent, Limitations: list} }

// LikelyIf declares limitations that put its findings in doubt.
func LikelyIf(list ...Limitation) Handling { return Handling{Effect: Likely, Limitations: list} }

// SilentOrLikelyIf declares limitations that silence it, or put its findings in doubt if
// something else speaks for them, of which Limits tells.
func SilentOrLikelyIf(list ...Limitation) Handling {
	return Handling{Effect: SilentOrLikely, Limitations: list}
}

// LowerIf declares limitations that lower the severity of its findings.
func LowerIf(list ...Limitation) Handling { return Handling{Effect: Lower, Limitations: list} }

// DetailIf declares limitations that matter for a part of the judgement only: how long it waits,
// what it counts. Limits reports them where that is worth to be known.
func DetailIf(list ...Limitation) Handling { return Handling{Effect: Detail, Limitations: list} }

// In is the same for some cases of the rule, by their letters: "ab".
func (g Handling) In(cases string) Handling {
	g.Cases = cases
	return g
}

// Of is the same for a part of what the rule finds: "a missing answer".
func (g Handling) Of(about string) Handling {
	g.About = about
	return g
}

// Since is the same where LostSince counts from something else than the call.
func (g Handling) Since(after string) Handling {
	g.After = after
	return g
}

// limits says when a rule is silent although it might be broken, and when its findings are
// only likely: what follows from its limitations, and then what else limits it.
func limits(handled Limitations, more string) string {
	said := handled.sentences()
	if more != "" {
		said = append(said, more)
	}
	return strings.Join(said, " ")
}

// sentences are what a reader sees of the limitations.
func (g Limitations) sentences() (said []string) {
	for i := range g {
		if s := g[i].sentence(); s != "" {
			said = append(said, s)
		}
	}
	return said
}

// sentence is what a reader sees of them: "Case b is silent where the capture has one
// direction only." It is "" for a detail.
func (g *Handling) sentence() string {
	effect := [...]string{Silent: "silent", Likely: "only likely", SilentOrLikely: "silent, or only likely,", Lower: "of lower severity", Detail: ""}[g.Effect]
	if effect == "" {
		return ""
	}
	var what, that, where, parts []string
	if g.About != "" {
		what = append(what, g.About)
	}
	for _, gate := range g.Limitations {
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
