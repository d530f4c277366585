package trans_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/scene"
)

// A Terminate for a wrong CRC is reported to be wrong, or to come from damage beyond the capture point, where the
// capture has all FPDUs and their CRCs are correct.
func TestTerminateForIntactFPDUs(t *testing.T) {
	const begin = `
		connect
		    mpa crc
		call 1 NFS3 NULL
		reply 1
		call 2 NFS3 NULL
		`
	for name, c := range map[string]struct {
		text   string
		intact bool
	}{
		"all are correct":         {begin + "terminate server 2/0/2\nreset server", true},
		"the client's reply":      {begin + "terminate client 2/0/2\nreset client", true},
		"only the client asks":    {strings.Replace(begin, "crc", "crc=client", 1) + "terminate server 2/0/2\nreset server", true},
		"laid out in another way": {begin + "terminate server 0/2/2\nreset server", true},
		"markers do not match":    {begin + "terminate server 2/0/3\nreset server", false},
		"nobody asks for CRCs":    {strings.Replace(begin, "mpa crc", "mpa revision=2", 1) + "terminate server 2/0/2\nreset server", false},
		"one is wrong": {begin + "fpdu client untagged opcode=3 qn=0 payload=bytes(64) wrongcrc\nterminate server 2/0/2\nreset server",
			false},
		"a call is missing":    {begin + "    drop\nterminate server 2/0/2\nreset server", false},
		"a call is late":       {begin + "call 3 NFS3 NULL\n    late 2 frame 1\nterminate server 2/0/2\nreset server", false},
		"a call is sent again": {begin + "    lost\nterminate server 2/0/2\nreset server", false},
		"frames are cut":       {"\n\t\tsnap 100" + begin + "terminate server 2/0/2\nreset server", false},
		"the start is missing": {strings.Replace(begin, "crc\n", "crc\n    drop\n", 1) + "terminate server 2/0/2\nreset server", false},
	} {
		t.Run(name, func(t *testing.T) {
			found := handshakeOf(t, c.text, scene.IWARP, "TRANS-012")
			if len(found) != 1 {
				t.Fatalf("%d findings", len(found))
			}
			if got := strings.Contains(found[0].Message, "damaged beyond the capture point"); got != c.intact {
				t.Errorf("%s", found[0].Message)
			}
			if got := strings.Contains(found[0].Advice, "was intact where it was captured"); got != c.intact {
				t.Errorf("advice: %s", found[0].Advice)
			}
		})
	}
}
