package families_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/internal/families"
)

// TestNames converts between IDs and functions, in both directions.
func TestNames(t *testing.T) {
	for id, function := range map[string]string{"HDR-005": "hdr005", "RPC-013": "rpcs013", "V2-001": "v2001", "SYM-011": "sym011"} {
		f, number, ok := families.Of(id)
		if !ok || f.Function(number) != function {
			t.Errorf("%s has the function %s%s (%v), want %s", id, f.Package, number, ok, function)
		}
		if got := families.ID(function); got != id {
			t.Errorf("%s is the function of %q, want %s", function, got, id)
		}
	}
	for _, id := range []string{"", "HDR", "HDR-5", "HDR-0005", "HDR-00a", "hdr-005", "SITE-001", "V-001"} {
		if f, number, ok := families.Of(id); ok {
			t.Errorf("%q is the ID of %v %s", id, f, number)
		}
	}
	for _, function := range []string{"", "hdr", "hdr05", "rpc001", "v001", "005", "hdrabc"} {
		if id := families.ID(function); id != "" {
			t.Errorf("%q is the function of %s", function, id)
		}
	}
}

// TestDirectories compares the families with the directories of report/rules that have rules.
func TestDirectories(t *testing.T) {
	const root = "../../report/rules"
	known := make(map[string]bool)
	for _, f := range families.All() {
		known[f.Package] = true
		if _, err := os.Stat(filepath.Join(root, f.Package, f.Function("001")+".rule")); err != nil {
			t.Error(err)
		}
	}
	documents, err := filepath.Glob(root + "/*/*.rule")
	if err != nil || len(documents) < 100 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	for _, path := range documents {
		if name := filepath.Base(filepath.Dir(path)); !known[name] {
			t.Errorf("%s is in no family", path)
			known[name] = true
		}
	}
}
