package pasts

import "testing"

// TestTable holds that a Table makes one entry for a key, and none once it has as many as it may.
func TestTable(t *testing.T) {
	var table Table[int, int]
	for k := range Most {
		x := table.Of(k)
		if x == nil {
			t.Fatalf("there is nothing for key %d", k)
		}
		*x = k
	}
	if x := table.Of(Most); x != nil || len(table) != Most {
		t.Errorf("it has %d entries, and one more for another key: %v", len(table), x)
	}
	if x := table.Of(7); x == nil || *x != 7 {
		t.Errorf("what was remembered is not there: %v", x)
	}
}
