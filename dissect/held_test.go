package dissect_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// outcomes is a Sink that notes what came of each RPC, and before which frame it was told.
type outcomes struct {
	list    []string
	at      int64 // the frame in hand
	refused int64
	told    map[uint32]int64
	long    map[uint32]bool // has a latency
}

func (o *outcomes) Connection(c *dissect.Connection, final bool) {
	if final {
		o.refused = c.RefusedReplies()
	}
}
func (o *outcomes) Message(*dissect.Message)   {}
func (o *outcomes) Frame(v *dissect.FrameView) { o.at = v.Frame.Number }

func (o *outcomes) RPC(r *dissect.RPC) {
	if o.told == nil {
		o.told, o.long = make(map[uint32]int64), make(map[uint32]bool)
	}
	o.told[r.XID] = o.at + 1
	_, o.long[r.XID] = r.Latency()
	o.list = append(o.list, fmt.Sprintf("%x reply %t, untaken %t, %s, %q", r.XID, r.Reply != nil, r.Untaken != nil, r.WhyNotTaken, r.Missing))
}

// showing has a Sink told of what a Dissector finds in frames.
func showing(list frames, sink dissect.Sink) {
	d := dissect.New(sink, dissect.Options{})
	for i := range list {
		d.Frame(&list[i])
	}
	d.Flush()
}

// TestUntakenReplies has replies refused, retransmitted until the connection ends, and neither.
func TestUntakenReplies(t *testing.T) {
	const (
		answered  = `1002 reply true, untaken false, heard, ""`
		refused   = `1002 reply false, untaken true, refused, "the client refused its reply"`
		abandoned = `1002 reply false, untaken true, abandoned, "its reply was retransmitted until the connection ended, and never acknowledged"`
		follows   = `1002 reply false, untaken true, abandoned, "its reply follows one that the client refused, which ended the connection"`
	)
	// A message too long, with the DDP header of the Send with MSN 2 (RFC 5040, section 4.8).
	const terminate = "fpdu client untagged opcode=7 qn=2 msn=1 payload=hex(1205c000 0064 4143 00000000 00000000 00000002 00000000)"
	const calls = "connect\ncall 1 NFS3 NULL\nreply 1\ncall 2 NFS3 GETATTR\nreply 2\n"
	for name, x := range map[string]struct {
		text    string
		over    scene.Transport
		want    string
		refused int64 // RPCs that the connection counts
	}{
		"a NAK":                        {calls + "    noack\nnak client operational\ndisconnect", scene.RoCE, refused, 1},
		"a NAK, and no end":            {calls + "    noack\nnak client operational", scene.RoCE, refused, 1},
		"a NAK for another Send":       {calls + "call 3 NFS3 NULL\nreply 3\n    noack\nnak client operational\ndisconnect", scene.RoCE, answered, 1},
		"a sequence error NAK":         {calls + "    noack\nnak client sequence\nresend\nack client\ndisconnect", scene.RoCE, answered, 0},
		"never acknowledged":           {calls + "    noack\nwait 1s\nresend\nwait 1s\nresend\nwait 1s\nresend\ndisconnect server", scene.RoCE, abandoned, 0},
		"RNR NAKs":                     {calls + "    noack\nrnr client 20\nwait 10ms\nresend\nrnr client 20\nwait 10ms\nresend\ndisconnect server", scene.RoCE, abandoned, 0},
		"the capture ends before":      {calls + "    noack\nwait 1s\nresend\nwait 1s\nresend", scene.RoCE, answered, 0},
		"the acknowledgement is late":  {calls + "    noack\nwait 1s\nresend\nack client\ndisconnect", scene.RoCE, answered, 0},
		"once again, and then the end": {calls + "    noack\nwait 1s\nresend\ndisconnect", scene.RoCE, answered, 0},
		"the client goes on":           {calls + "    noack\nwait 1s\nresend\nwait 1s\nresend\ncall 3 NFS3 NULL\n    noack\ndisconnect", scene.RoCE, answered, 0},
		"the server goes on":           {calls + "    lost\n    drop frame -1\ncall 3 NFS3 NULL\nreply 3\n    noack\ndisconnect", scene.RoCE, answered, 0},
		"another takes its names":      {calls + "    noack\nwait 1s\nresend\nwait 1s\nresend\nconnect B clientqpn=0x11 serverqpn=0x12", scene.RoCE, answered, 0},
		"behind a refused one":         {"connect\ncall 1 NFS3 NULL\ncall 2 NFS3 NULL\nreply 1\n    noack\nreply 2\n    noack\nnak client operational psn 14865529\ndisconnect", scene.RoCE, follows, 1},
		"a refusal of the other way":   {"connect\ncall 1 NFS3 NULL\ncallback 2 CB_NULL\nreply 1\n    noack\nreply 2\n    noack\nnak client operational\ndisconnect", scene.RoCE, answered, 1},
		"an RST that acknowledges":     {calls + "    noack\nwait 1s\nresend\nwait 1s\nresend\nreset client", scene.IWARP, answered, 0},
		"a Terminate":                  {calls + "    noack\n" + terminate + "\nreset client", scene.IWARP, refused, 1},
		"a Terminate after an ACK":     {calls + "" + terminate + "\nreset client", scene.IWARP, answered, 1},
		"a Terminate for an answer":    {calls + "call 3 NFS3 NULL\nreply 3\n    noack\n" + terminate + "\nreset client", scene.IWARP, answered, 1},
		"an ordinary end":              {calls + "disconnect", scene.IWARP, answered, 0},
	} {
		o := new(outcomes)
		showing(play(t, x.text, x.over), o)
		i := slices.IndexFunc(o.list, func(s string) bool { return s[:4] == "1002" })
		if i < 0 || o.list[i] != x.want {
			t.Errorf("%s: %q, want %s", name, o.list, x.want)
		}
		if o.long[0x1002] != (x.want == answered) {
			t.Errorf("%s: it has a latency: %t", name, o.long[0x1002])
		}
		if o.refused != x.refused {
			t.Errorf("%s: %d refused replies, want %d", name, o.refused, x.refused)
		}
	}
}

// TestHeldRPCs holds when a Sink receives an RPC: with the acknowledgement of its reply, and
// where none come, before too many wait.
func TestHeldRPCs(t *testing.T) {
	list, o := play(t, "connect\ncall 1 NFS3 NULL\nreply 1\n    noack\nack client\ncall 2 NFS3 NULL\nreply 2\n    noack", scene.RoCE), new(outcomes)
	showing(list, o)
	const reply1, ack1 = 6, 7 // after REQ, REP and RTU, the call and its acknowledgement
	if o.told[0x1001] != ack1 {
		t.Errorf("told at frame %d, the reply is %d and its acknowledgement %d", o.told[0x1001], reply1, ack1)
	}
	if last := int64(len(list)); o.told[0x1002] != last+1 {
		t.Errorf("told at frame %d, without an acknowledgement in %d frames", o.told[0x1002], last)
	}
	const held, more = 256, 4
	list = play(t, fmt.Sprintf("connect\nrepeat %d\ncall $+1 NFS3 NULL\nend\nrepeat %d\nreply $+1\n    noack\nend", held+more, held+more), scene.RoCE)
	o = new(outcomes)
	showing(list, o)
	early := 0
	for _, at := range o.told {
		if at <= int64(len(list)) {
			early++
		}
	}
	if len(o.told) != held+more || early != more {
		t.Errorf("%d RPCs, %d told before the end; want %d and %d", len(o.told), early, held+more, more)
	}
}
