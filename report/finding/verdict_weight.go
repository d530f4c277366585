package finding

import (
	"cmp"
	"slices"
)

// A tier says what a finding is to the person who looks for what hurts, whatever its
// severity.
type tier uint8

const (
	trivia tier = iota // how things are, and what could be done better
	ordinary
	symptom // a call that was slow, refused or never answered, a silence, a connection that was lost
)

// symptoms are the rules, and families of them, that tell what somebody felt.
func symptoms() []string {
	return []string{"SYM", "RPC-001", "RPC-002", "RPC-005", "RPC-007", "CM-007", "CM-009", "CREDIT-010", "TRANS-005", "TRANS-006", "TRANS-012"}
}

// habits are the rules, and families of them, whose notes say how an implementation is.
func habits() []string {
	return []string{"INV", "THRESH", "SEC", "TRANS-011e", "DDP", "ULB", "XCHAR", "CREDIT-009", "HDR-014", "CM-001", "CM-005", "V2"}
}

// tierOf is that of a finding of a rule ("RPC-007", "CM-007b") with a severity.
func tierOf(r *Rule, id string, s Severity) tier {
	among := func(list []string) bool {
		return slices.Contains(list, id) || slices.Contains(list, r.ID) || slices.Contains(list, r.Family())
	}
	switch {
	case among(symptoms()), r.ID == "HDR-014" && s > Note:
		return symptom
	case s == Note && among(habits()):
		return trivia
	}
	return ordinary
}

// Rank orders findings by what hurts: errors first, then by severity what somebody felt
// before what somebody may look at, and how things are last. More is worse.
func Rank(f *Finding) int {
	return rankOf(f.Severity, tierOf(f.Rule, f.ID(), f.Severity))
}

func rankOf(s Severity, t tier) int {
	if t == trivia {
		return int(t) // whatever else there is stands above
	}
	return int(s)<<2 | int(t)
}

// Worst is the highest Rank of a finding and of all that it explains.
func Worst(f *Finding) int {
	worst := Rank(f)
	for _, e := range f.Effects {
		worst = max(worst, Worst(e))
	}
	return worst
}

// Roots are the findings that no other explains, what hurts most first: each counts as much as
// the worst that it explains.
func Roots(list []*Finding) []*Finding {
	roots := slices.DeleteFunc(slices.Clone(list), func(f *Finding) bool { return f.Cause != nil })
	slices.SortStableFunc(roots, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(b.Worst(), a.Worst()), cmp.Compare(Worst(b), Worst(a)))
	})
	return roots
}
