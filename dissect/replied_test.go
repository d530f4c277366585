package dissect_test

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestReplyOfAnother has the REP of another connection take the place of one that is
// missing, when the direction that it names has another half already: that one is let go,
// and must not be found any more when the connection has ended.
func TestReplyOfAnother(t *testing.T) {
	p, err := scene.Play(strings.TrimSpace(`
connect A clientqpn=0x13 serverqpn=0x22 commid=1
    drop frame 2
call 1 NFS3 GETATTR
reply 1
call 2 NFS3 GETATTR
reply 2
connect B clientqpn=0x13 serverqpn=0x21 commid=1
    drop frame 1
call 3 NFS3 GETATTR
reply 3
connect C clientqpn=0x14 serverqpn=0x23 commid=1
on A
call 4 NFS3 GETATTR
reply 4
`), scene.RoCE)
	if err != nil {
		t.Fatal(err)
	}
	c := &damage.Capture{Link: link.TypeEthernet, Frames: p.Frames}
	got := record(t, &source{asRead(c, c.Frames)})
	if got.summary.RPCs == 0 || got.summary.Frames != int64(len(p.Frames)) {
		t.Errorf("%+v", got.summary)
	}
}
