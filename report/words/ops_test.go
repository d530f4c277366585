package words

import "testing"

// TestRepeats holds that only a SEQUENCE which answers what was asked, and no
// more, is left out of a row.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		op, args, result string
		want             bool
	}{
		{"SEQUENCE", "SEQUENCE slot 0 seq 8", "SEQUENCE slot 0 seq 8", true},
		{"SEQUENCE", "SEQUENCE slot 0 seq 8, cache", "SEQUENCE slot 0 seq 8", true},
		{"CB_SEQUENCE", "CB_SEQUENCE slot 0 seq 8", "CB_SEQUENCE slot 0 seq 8", true},
		{"SEQUENCE", "SEQUENCE slot 0 seq 86", "SEQUENCE slot 0 seq 8", false},
		{"SEQUENCE", "SEQUENCE slot 0 seq 8", "SEQUENCE slot 0 seq 8, CB_PATH_DOWN", false},
		{"SEQUENCE", "SEQUENCE slot 0 seq 8", "SEQUENCE NFS4ERR_BADSESSION", false},
		{"ACCESS", "ACCESS READ|EXECUTE", "ACCESS READ", false},
		{"ACCESS", "ACCESS READ", "ACCESS READ", false},
	} {
		if got := repeats(c.op, []byte(c.args), []byte(c.result)); got != c.want {
			t.Errorf("%q and %q: %v", c.args, c.result, got)
		}
	}
}
