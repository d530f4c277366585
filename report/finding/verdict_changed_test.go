package finding_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// summed has the checksum of each segment right, as it is on the wire.
func summed(t *testing.T, frames []capture.Frame) []capture.Frame {
	t.Helper()
	for i := range frames {
		f := &frames[i]
		var p link.Packet
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if p.Transport != link.TCP {
			continue
		}
		at := p.Network()
		if f.Data[at]>>4 != 4 {
			t.Fatal("the scene is not of IPv4")
		}
		tcp := f.Data[p.Start():p.End()]
		tcp[16], tcp[17] = 0, 0
		sum := uint32(6 + len(tcp))
		for _, b := range [][]byte{f.Data[at+12 : at+20], tcp} {
			for k, x := range b {
				sum += uint32(x) << (8 * (1 - k%2))
			}
		}
		for sum>>16 != 0 {
			sum = sum>>16 + sum&0xffff
		}
		binary.BigEndian.PutUint16(tcp[16:], ^uint16(sum))
	}
	return frames
}

// TestChangedOnTheWay holds that what has a wrong check value, and is retransmitted, was changed and not lost; and that
// neither is reported where all of an end's have one, as on a host that leaves them to its adapter.
func TestChangedOnTheWay(t *testing.T) {
	const roce = `
connect
call 1 NFS3 NULL
reply 1
call 2 NFS3 NULL
    noack
    flip frame 1 80
wait 500ms
resend 2
reply 2
disconnect`
	if got := judged(t, scene.RoCE, roce); !strings.Contains(got, "1 frame from the client") || !strings.Contains(got, "was corrupted in transit") || strings.Contains(got, "network lost") {
		t.Errorf("RoCE: %s", got)
	}
	const iwarp = `
connect
call 1 NFS3 NULL
    noack
wait 300ms
resend 1
reply 1
call 2 NFS3 NULL
    noack
wait 300ms
resend 2
reply 2
call 3 NFS3 NULL
    noack
wait 300ms
resend 3
reply 3
disconnect`
	play := func(change func(f *capture.Frame)) string {
		frames := summed(t, ruletest.Frames(t, iwarp, scene.IWARP))
		seen := make(map[uint32]bool)
		for i := range frames {
			var p link.Packet
			p.Decode(frames[i].Link, frames[i].Data, int(frames[i].Length), link.Options{})
			if first := !seen[p.TCP.Seq]; first && p.End()-p.TCPData() > 60 && p.DstPort == 20049 {
				change(&frames[i])
				seen[p.TCP.Seq] = true
			}
		}
		return judgedFrames(t, frames)
	}
	got := play(func(f *capture.Frame) { f.Data[len(f.Data)-9] ^= 0x10 })
	if !strings.Contains(got, "3 frames from the client") || !strings.Contains(got, "were corrupted in transit") {
		t.Errorf("iWARP: %s", got)
	}
	got = play(func(f *capture.Frame) {
		var p link.Packet
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		f.Data[p.TCPData()+15] ^= 4 // the MSN of a Send
	})
	if !strings.Contains(got, "were corrupted in transit") || strings.Contains(got, "DDP segment of the client") {
		t.Errorf("iWARP, the header of a DDP segment: %s", got)
	}
	got = play(func(f *capture.Frame) {
		var p link.Packet
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		f.Data[p.TCPData()+27] ^= 8 // the version of RPC-over-RDMA
	})
	if !strings.Contains(got, "were corrupted in transit") || strings.Contains(got, "message of version") {
		t.Errorf("iWARP, the header of a message: %s", got)
	}
	if got := play(func(*capture.Frame) {}); strings.Contains(got, "changed") {
		t.Errorf("iWARP, unchanged: %s", got)
	}
	frames := ruletest.Frames(t, iwarp, scene.IWARP) // without checksums
	if got := judgedFrames(t, frames); strings.Contains(got, "changed") {
		t.Errorf("iWARP, checksums left to the adapter: %s", got)
	}
}
