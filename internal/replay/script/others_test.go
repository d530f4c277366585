package script_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestLeftOut holds what is reported of the connections that are not replayed.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sample     string
		connection int
		want       []string
	}{
		{"rxe-loss", 0, nil},
		{"rxe-basic", 0, []string{"3 other connections of the capture are left out (--connection N selects one):", "  connection 2 (", "  connection 3 (192.0.2.2:", "129 calls)", "  connection 4 ("}},
		{"rxe-basic", 3, []string{"  connection 1 (", "  connection 2 (", "  connection 4 ("}},
	} {
		got := replaytest.Sample(t, c.sample, script.Options{Connection: c.connection}).LeftOut()
		if (got == "") != (c.want == nil) {
			t.Errorf("%s, connection %d: %q", c.sample, c.connection, got)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s, connection %d: %q, want it to say %q", c.sample, c.connection, got, want)
			}
		}
	}
	many := new(script.Conversation)
	for i := range 20 {
		many.Others = append(many.Others, script.Other{ID: i + 2, Client: "a", Server: "b", Calls: 1})
	}
	if got := many.LeftOut(); strings.Count(got, "\n") != 10 || !strings.Contains(got, "1 call)") || !strings.HasSuffix(got, "  and 12 more\n") {
		t.Errorf("%q", got)
	}
}
