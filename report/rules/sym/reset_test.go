package sym_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestResetOfWhatIsOver holds that a RST that only answers a segment is not taken for the end of the connection.
func TestResetOfWhatIsOver(t *testing.T) {
	const text = "connect\n    mpa crc\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\nreset server\n"
	for flags, want := range map[string]string{
		"":                              "the server ended the connection (RST) with 1 call unanswered",
		"    edit frame 1 47 hex(04)\n": "the server reset the connection, which it no longer had, with 1 call unanswered",
	} {
		found := of(t, "SYM-009", text+flags, scene.IWARP)
		if len(found) != 1 || !strings.HasPrefix(found[0].Message, want) || strings.Contains(found[0].Message, "it had ended the connection before") != (flags != "") {
			t.Errorf("%q: %v", flags, found)
			for _, f := range found {
				t.Error(f.Message)
			}
		}
	}
}
