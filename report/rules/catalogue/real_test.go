package catalogue_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
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
				if f.Severity == finding.Error && !slices.Contains(faulty(name), f.ID()) {
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

// TestVersion2Captures holds what is reported of the captures of version 2 against what
// they have: each of its errors with what draws it, as a Write chunk that is too short, a
// call of version 3, characteristics that are experiments, and chunks that were not needed. A rule of version 1 that took
// one of their messages for its own would say more.
func TestVersion2Captures(t *testing.T) {
	want := []string{"CM-001a", "DDP-020a", "HDR-002a", "HDR-003b", "HDR-014", "THRESH-007", "THRESH-008a", "THRESH-011", "V2-007b", "V2-008e", "XCHAR-003a"}
	for _, name := range []string{"version2-roce", "version2-iwarp"} {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, f := range ruletest.Check(t, catalogue.All(), ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")) {
				t.Logf("%s %s frame %d x%d: %s", f.Severity, f.ID(), f.Frame.Number, f.Count, f.Message)
				found = append(found, f.ID())
			}
			slices.Sort(found)
			if found = slices.Compact(found); !slices.Equal(found, want) {
				t.Errorf("found %v, want %v", found, want)
			}
		})
	}
}

// faulty are the errors that a capture really has: one of the perftest runs over
// Soft-iWARP ended with a Terminate, and those of version 2 have a failure of each kind
// on purpose, among them a call of version 3, one that cannot be decoded, and one with
// too little room for its reply.
func faulty(name string) []string {
	switch name {
	case "siw-perftest":
		return []string{"TRANS-004", "TRANS-012"}
	case "version2-roce", "version2-iwarp":
		return []string{"HDR-002a", "HDR-003b", "DDP-020a"}
	}
	return nil
}
