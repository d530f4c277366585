package sym_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestServersTurn holds what a stall says of the server to what the frames prove: that it had the call, and whether what
// it sent may have been lost before the capture.
func TestServersTurn(t *testing.T) {
	const (
		turn = "the server had acknowledged it and did not answer"
		open = turn + ", or frames between it and the capture were lost"
	)
	const begin = "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\n"
	for _, tt := range []struct{ name, text, want, never string }{
		{"answered at last", begin + "wait 3s\nreply 2\ndisconnect\n", open, ""},
		{"the client asks for something else and leaves", begin + "wait 3s\ncall 3 NFS3 NULL\nreply 3\nwait 100ms\ndisconnect client\n", turn, "or frames"},
		{"the client leaves", begin + "wait 3s\ndisconnect client\n", open, ""},
		{"nothing of the server comes to the capture any more", begin + "wait 3s\ncall 3 NFS3 NULL\n    noack\ndisconnect client\n", open, ""},
		{"the server has read the data, as far as the capture shows", "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 WRITE data=bytes(3000)\n    read 0x1001 3000\nwait 3s\ncall 3 NFS3 NULL\nreply 3\ndisconnect client\n", open, ""},
		{"the server has not read the data", "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 WRITE data=bytes(3000)\n    read 0x1001 3000\n    nopull\nwait 3s\ncall 3 NFS3 NULL\nreply 3\ndisconnect client\n", "then the client continued", turn},
		{"the call was not acknowledged", "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\n    noack\nwait 3s\ncall 3 NFS3 NULL\n    noack\ndisconnect client\n", "", turn},
	} {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			var said []string
			for _, f := range of(t, "SYM-001", tt.text, over) {
				said = append(said, f.Message)
			}
			got := strings.Join(said, "\n")
			if !strings.Contains(got, tt.want) || tt.never != "" && strings.Contains(got, tt.never) || strings.Contains(got, "2 calls") {
				t.Errorf("%s over %v: %q, want %q", tt.name, over, got, tt.want)
			}
		}
	}
}
