package finding

import (
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
)

func TestTally(t *testing.T) {
	var n Tally
	if got := n.String(); got != "nothing wrong found" || n.AtLeast(rules.Note) {
		t.Errorf("none: %s", got)
	}
	n.Add(rules.Note)
	n.join(Tally{Warnings: 2})
	if got := n.String(); got != "2 warnings, 1 note" || n.AtLeast(rules.Error) || !n.AtLeast(rules.Warning) || !n.AtLeast(rules.Note) {
		t.Errorf("%s: %+v", got, n)
	}
}
