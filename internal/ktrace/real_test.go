package ktrace

import (
	"os"
	"path/filepath"
	"testing"
)

// The traces that ship beside their captures, with what is known of them.
var shipped = []struct {
	name                                                   string
	calls, replies, thresholds, callbacks, retried, unsent int
}{
	{"rxe-basic", 566, 566, 4, 0, 1, 0},
	{"rxe-acl", 1859, 1859, 2, 0, 1, 0},
	{"rxe-cb", 112, 112, 2, 8, 0, 0},
	{"rxe-thresh", 379, 379, 8, 0, 0, 0},
	{"rxe-krb", 190, 182, 14, 0, 3, 6}, // its capture has 184 calls
}

func TestRealTraces(t *testing.T) {
	for _, want := range shipped {
		t.Run(want.name, func(t *testing.T) {
			file, err := os.Open(filepath.Join("..", "..", "samples", want.name+".trace.gz"))
			if os.IsNotExist(err) {
				t.Skipf("the sample is not here: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			trace, err := Parse(file)
			if err != nil {
				t.Fatal(err)
			}
			callbacks, retried, unsent := len(trace.Callbacks), 0, 0
			for i := range trace.Calls {
				c := &trace.Calls[i]
				checkCall(t, c)
				if c.Retried() {
					retried++
				}
				if c.Unsent {
					unsent++
				}
			}
			if len(trace.Calls) != want.calls || len(trace.Replies) != want.replies ||
				len(trace.Thresholds) != want.thresholds || callbacks != want.callbacks || retried != want.retried || unsent != want.unsent {
				t.Errorf("%d calls, %d replies, %d thresholds, %d callback lines, %d retried, %d unsent; want %+v",
					len(trace.Calls), len(trace.Replies), len(trace.Thresholds), callbacks, retried, unsent, want)
			}
		})
	}
}

// checkCall holds a call's segments against three things that the client
// recorded apart from them: the length of the header, the kinds, and the XID
// that it puts in the upper half of every offset.
func checkCall(t *testing.T, c *Call) {
	t.Helper()
	if c.ListsLength() != c.HeaderLength {
		t.Errorf("XID %#08x: its lists make a header of %d bytes, the client made %d: %+v", c.XID, c.ListsLength(), c.HeaderLength, c)
	}
	if got := c.Kind.Call == "read list" || c.Kind.Call == "*read list"; got != (len(c.Reads) > 0) {
		t.Errorf("XID %#08x: %q with %d Read segments", c.XID, c.Kind.Call, len(c.Reads))
	}
	if got := c.Kind.Reply == "write list"; got != (len(c.Writes) > 0) {
		t.Errorf("XID %#08x: %q with %d Write segments", c.XID, c.Kind.Reply, len(c.Writes))
	}
	if got := c.Kind.Reply == "reply chunk"; got != (len(c.Replies) > 0) {
		t.Errorf("XID %#08x: %q with %d Reply segments", c.XID, c.Kind.Reply, len(c.Replies))
	}
	for _, list := range [][]Segment{c.Reads, c.Writes, c.Replies} {
		for _, s := range list {
			if uint32(s.Offset>>32) != c.XID {
				t.Errorf("XID %#08x: a segment of another call: %+v", c.XID, s)
			}
		}
	}
}
