package finding

import (
	"slices"
	"testing"
)

// TestReplaced holds that what another finding says better is not shown beside it, that what it explained hangs under
// the better one, and that who asks for the one gets the other.
func TestReplaced(t *testing.T) {
	better := &Rule{ID: "B-001", Severity: Warning}
	old := &Rule{ID: "A-001", Severity: Warning, Replaced: []string{"B-001"}}
	effect := &Rule{ID: "C-001", Severity: Warning}
	made := func() (list []*Finding) {
		b := &Finding{Rule: better, Severity: Warning}
		a := &Finding{Rule: old, Severity: Warning, Instead: b}
		c := &Finding{Rule: effect, Severity: Warning, Cause: a}
		b.Cause = a // as the older finding may explain the better one
		alone := &Finding{Rule: old, Severity: Warning}
		return []*Finding{a, b, c, alone}
	}
	for _, tt := range []struct {
		rules string
		want  []int // of those made
	}{
		{"", []int{1, 2, 3}},
		{"A-001", []int{1, 3}},
		{"-B-001", []int{0, 2, 3}},
		{"A-001,-B-001", []int{0, 3}},
		{"B-001", []int{1}},
	} {
		s, err := Select([]*Rule{better, old, effect}, tt.rules)
		if err != nil {
			t.Fatal(err)
		}
		list := made()
		kept := pick(list, s)
		if len(kept) != len(tt.want) {
			t.Errorf("%q: %d are shown", tt.rules, len(kept))
			continue
		}
		for i, k := range tt.want {
			if kept[i] != list[k] {
				t.Errorf("%q: number %d is not finding %d", tt.rules, i, k)
			}
		}
		if tt.rules == "" && (list[1].Cause != nil || list[2].Cause != list[1] || !slices.Equal(list[1].Effects, []*Finding{list[2]})) {
			t.Errorf("what is explained hangs under %+v, and the better one under %+v", list[2].Cause, list[1].Cause)
		}
	}
}
