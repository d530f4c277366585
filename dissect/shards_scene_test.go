package dissect_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// TestShardsWhoseNamesAreUsedAgain has connections take the queue pairs and communication
// IDs of others that nobody ended, which may be in another shard; setups of which a part
// is missing, and packets of which no setup was seen, beside others.
func TestShardsWhoseNamesAreUsedAgain(t *testing.T) {
	for name, text := range map[string]string{
		"the client's queue pair": `
			connect A clientqpn=0x11 serverqpn=0x21 commid=1
			call 1 NFS3 GETATTR
			reply 1
			connect B clientqpn=0x12 serverqpn=0x22 commid=2
			call 2 NFS3 GETATTR
			reply 2
			connect C clientqpn=0x12 serverqpn=0x23 commid=3
			call 3 NFS3 GETATTR
			reply 3
			connect D clientqpn=0x11 serverqpn=0x24 commid=4
			call 4 NFS3 GETATTR
			reply 4`,
		"the server's queue pair": `
			connect A clientqpn=0x11 serverqpn=0x21 commid=1
			call 1 NFS3 GETATTR
			reply 1
			connect B clientqpn=0x12 serverqpn=0x22 commid=2
			call 2 NFS3 GETATTR
			reply 2
			connect C clientqpn=0x13 serverqpn=0x21 commid=3
			call 3 NFS3 GETATTR
			reply 3
			connect D clientqpn=0x14 serverqpn=0x22 commid=4
			call 4 NFS3 GETATTR
			reply 4`,
		"both, of two connections": `
			connect A clientqpn=0x11 serverqpn=0x21 commid=1
			call 1 NFS3 GETATTR
			reply 1
			connect B clientqpn=0x12 serverqpn=0x22 commid=2
			call 2 NFS3 GETATTR
			reply 2
			connect C clientqpn=0x11 serverqpn=0x22 commid=3
			call 3 NFS3 GETATTR
			reply 3
			on A
			call 4 NFS3 GETATTR
			reply 4`,
		"the communication ID": `
			connect A clientqpn=0x11 serverqpn=0x21 commid=1
			call 1 NFS3 GETATTR
			reply 1
			connect B clientqpn=0x12 serverqpn=0x22 commid=2
			call 2 NFS3 GETATTR
			reply 2
			connect C clientqpn=0x13 serverqpn=0x23 commid=2
			call 3 NFS3 GETATTR
			reply 3
			connect D clientqpn=0x14 serverqpn=0x24 commid=1
			call 4 NFS3 GETATTR
			reply 4
			disconnect`,
		"hosts that have several": `
			connect A clientaddr=192.0.2.2 clientqpn=0x11 serverqpn=0x21 commid=1
			call 1 NFS3 GETATTR
			reply 1
			connect B clientaddr=192.0.2.3 clientqpn=0x11 serverqpn=0x22 commid=1
			call 2 NFS3 GETATTR
			reply 2
			connect C clientaddr=192.0.2.4 clientqpn=0x11 serverqpn=0x23 commid=1
			call 3 NFS3 GETATTR
			reply 3
			on A
			disconnect
			on B
			call 4 NFS3 GETATTR
			reply 4
			disconnect`,
	} {
		t.Run(name, func(t *testing.T) {
			p, err := scene.Play(strings.ReplaceAll(text, "\n\t\t\t", "\n"), scene.RoCE)
			if err != nil {
				t.Fatal(err)
			}
			c := &damage.Capture{Link: link.TypeEthernet, Frames: p.Frames}
			emitTheSame(t, "whole", asRead(c, c.Frames), 2, 3, 4)
			for i := range c.Frames {
				if !long.Tests && i%3 != 0 {
					continue
				}
				emitTheSame(t, "one frame missing", asRead(c, c.Frames.Drop(i)), 2, 4)
				if i > 0 {
					emitTheSame(t, "two frames swapped", asRead(c, c.Frames.Swap(i-1, i)), 2, 4)
				}
				emitTheSame(t, "the first frames missing", asRead(c, c.Frames[i:]), 2, 4)
			}
		})
	}
}

// TestShardsWhateverHappens has connections at random: of few names, which are used again,
// or of many, of which frames are missing or out of order. Both at once may differ, see
// docs/architecture.md.
func TestShardsWhateverHappens(t *testing.T) {
	for seed := range uint64(long.Pick(40, 400)) {
		chance := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		open, few := []string{}, chance.IntN(2) == 0
		name := func(least int) int {
			if few {
				return least + chance.IntN(3)
			}
			return least + chance.IntN(1<<16)
		}
		for i := range 3 + chance.IntN(5) {
			conn := string(rune('A' + i))
			fmt.Fprintf(&text, "connect %s clientaddr=192.0.2.%d clientqpn=%d serverqpn=%d commid=%d\n", conn, 2+chance.IntN(2), name(0x11), name(0x21), name(1))
			open = append(open, conn)
			for call := range chance.IntN(4) {
				fmt.Fprintf(&text, "on %s\ncall %d NFS3 GETATTR\nreply %d\n", open[chance.IntN(len(open))], 100*i+call, 100*i+call)
			}
			if chance.IntN(3) == 0 {
				fmt.Fprintf(&text, "on %s\ndisconnect\n", conn)
				open = open[:len(open)-1]
			}
			if len(open) == 0 {
				break
			}
		}
		p, err := scene.Play(text.String(), scene.RoCE)
		if err != nil {
			t.Fatalf("%v\n%s", err, &text)
		}
		c := &damage.Capture{Link: link.TypeEthernet, Frames: p.Frames}
		for range chance.IntN(6) {
			if few || len(c.Frames) < 3 {
				break
			}
			switch i := 1 + chance.IntN(len(c.Frames)-1); chance.IntN(3) {
			case 0:
				c.Frames = c.Frames.Swap(i-1, i)
			default:
				c.Frames = c.Frames.Drop(i)
			}
		}
		if emitTheSame(t, fmt.Sprintf("seed %d", seed), asRead(c, c.Frames), 2, 3); t.Failed() {
			t.Fatal(text.String())
		}
	}
}
