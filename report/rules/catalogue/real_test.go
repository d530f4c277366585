package catalogue_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// TestHealthyCaptures asks all rules about the captures that ship, which are of
// healthy Linux clients and servers. The findings are listed, so that a person can
// read with -v what the program would say.
func TestHealthyCaptures(t *testing.T) {
	paths, err := filepath.Glob("../../../samples/*.pcap.zst")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".pcap.zst")
		t.Run(name, func(t *testing.T) {
			found := make(map[string]bool)
			for _, f := range ruletest.Check(t, catalogue.All(), ruletest.Sample(t, path)) {
				connection := 0
				if f.Connection != nil {
					connection = f.Connection.ID
				}
				t.Logf("%s %s connection %d frame %d x%d: %s [%s]", f.Severity, f.ID(), connection, f.Frame.Number, f.Count, f.Message, f.Doubt)
				if f.Severity == rules.Error && !slices.Contains(faulty(name), f.ID()) {
					t.Error("an error in a healthy capture")
				}
				found[f.ID()] = true
			}
			for _, id := range faulty(name) {
				if !found[id] {
					t.Errorf("%s was not found", id)
				}
			}
		})
	}
}

// faulty are the errors that a capture really has: one of the perftest runs over
// Soft-iWARP ended with a Terminate.
func faulty(name string) []string {
	if name == "siw-perftest" {
		return []string{"TRANS-004", "TRANS-012"}
	}
	return nil
}
