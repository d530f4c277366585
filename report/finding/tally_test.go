package finding

import (
	"testing"
)

func TestTally(t *testing.T) {
	var n Tally
	if got := n.String(); got != "nothing wrong found" || n.AtLeast(Note) {
		t.Errorf("none: %s", got)
	}
	n.Add(Note)
	n.join(Tally{Warnings: 2})
	if got := n.String(); got != "2 warnings, 1 note" || n.AtLeast(Error) || !n.AtLeast(Warning) || !n.AtLeast(Note) {
		t.Errorf("%s: %+v", got, n)
	}
}

func TestTallyBesideHidden(t *testing.T) {
	for _, x := range []struct {
		shown, hidden Tally
		want          string
	}{
		{Tally{}, Tally{}, "nothing wrong found"},
		{Tally{}, Tally{Notes: 4}, "nothing at or above warning; 4 notes hidden"},
		{Tally{Warnings: 1}, Tally{Notes: 1}, "1 warning; 1 note hidden"},
	} {
		if shown, hidden := x.shown.Beside(x.hidden, Warning); shown+hidden != x.want {
			t.Errorf("%+v beside %+v: %q, want %q", x.shown, x.hidden, shown+hidden, x.want)
		}
	}
}
