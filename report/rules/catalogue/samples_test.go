package catalogue_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestSamples asks all rules about the samples of each: what one fires must fire no
// other of severity error that the sample does not want. That each rule fires its
// own is tested in its family too.
func TestSamples(t *testing.T) {
	t.Parallel()
	all := catalogue.All()
	for _, r := range all {
		t.Run(r.ID, func(t *testing.T) { ruletest.Run(t, all, r.ID) })
	}
}

// TestNames checks that rules name each other by IDs that there are.
func TestNames(t *testing.T) {
	known := make(map[string]bool)
	for _, r := range catalogue.All() {
		if known[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		known[r.ID] = true
		for _, c := range r.Cases {
			known[r.ID+c.Letter] = true
		}
	}
	for _, r := range catalogue.All() {
		for _, id := range r.Causes {
			if !known[id] {
				t.Errorf("%s may be explained by %s, which there is not", r.ID, id)
			}
		}
		if slices.Contains(r.Causes, r.ID) {
			t.Errorf("%s explains itself", r.ID)
		}
	}
}
