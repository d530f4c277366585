package build

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// What the setup says is in both start frames, from the flags on.
func TestStartFrames(t *testing.T) {
	none := Host{Private: []byte{}}
	for _, test := range []struct {
		name           string
		setup          IWARPSetup
		request, reply string
	}{
		{"as Linux", IWARPSetup{}, "10 02 000c 0080 0000 f6ab0e1801010303", "10 02 000c 0000 0080 f6ab0e1801000303"},
		{"depths, no private data", IWARPSetup{Client: none, Server: none, ClientDepths: &Depths{3, 4}, ServerDepths: &Depths{}},
			"10 02 0004 0003 0004", "10 02 0004 0000 0000"},
		{"not enhanced", IWARPSetup{Plain: true}, "00 02 0008 f6ab0e1801010303", "00 02 0008 f6ab0e1801000303"},
		{"revision 1", IWARPSetup{Revision: 1, Client: none}, "00 01 0000", "00 01 0008 f6ab0e1801000303"},
		{"peer to peer without RTR", IWARPSetup{PeerToPeer: true, Client: none, Server: none}, "10 02 0004 8080 0000", "10 02 0004 8000 0080"},
		{"RTR by Send", IWARPSetup{RTR: RTRSend, Client: none, Server: none}, "10 02 0004 c080 0000", "10 02 0004 c000 0080"},
		{"RTR by Write", IWARPSetup{RTR: RTRWrite, Client: none, Server: none}, "10 02 0004 8080 8000", "10 02 0004 8000 8080"},
		{"RTR by Read", IWARPSetup{RTR: RTRRead, Client: none, Server: none}, "10 02 0004 8080 4000", "10 02 0004 8000 4080"},
	} {
		c := NewIWARP(test.setup)
		c.Request()
		c.Accept()
		same(t, test.name+": request", stream(t, c.Frames, ToServer)[16:], check.Hex(t, test.request))
		same(t, test.name+": reply", stream(t, c.Frames, ToClient)[16:], check.Hex(t, test.reply))
	}
	c := NewIWARP(IWARPSetup{})
	c.Request()
	c.Reject([]byte{1, 2, 3})
	same(t, "rejected", stream(t, c.Frames, ToClient)[16:], check.Hex(t, "30 02 0007 0000 0080 010203"))
}

func TestIWARPPanicsWhereTheStoryCannotBe(t *testing.T) {
	for name, tell := range map[string]func(c *IWARP){
		"an RTR that was not agreed":       func(c *IWARP) { c.ReadyToReceive() },
		"a segment larger than IP carries": func(c *IWARP) { c.Segment(ToServer, make([]byte, largestPayload+1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			tell(NewIWARP(IWARPSetup{}))
		}()
	}
	NewIWARP(IWARPSetup{}).Segment(ToServer, make([]byte, largestPayload))
}
