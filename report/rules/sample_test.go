package rules_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
)

// TestText holds that the text of a sample stands at the left, its empty lines gone
// at the ends only.
func TestText(t *testing.T) {
	s := rules.Sample{Scene: "\n\t\tconnect\n\n\t\tcall 1\n\t\t    credits 0  \n\t"}
	if got := s.Text(); got != "connect\n\ncall 1\n    credits 0\n" {
		t.Errorf("%q", got)
	}
}
