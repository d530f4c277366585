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
