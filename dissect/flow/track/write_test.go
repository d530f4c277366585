package track_test

import (
	"fmt"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// RDMA Writes of all sizes: each packet is told where its bytes lie.
func TestWrites(t *testing.T) {
	const handle, mtu = 0xc82, 1024
	for _, va := range []uint64{0x1000, 0xffff_ffff, 1<<64 - 2000} {
		for _, n := range []int{0, 1, 5, mtu - 1, mtu, mtu + 1, 3 * mtu, 3*mtu + 2} {
			t.Run(fmt.Sprintf("%d bytes to 0x%x", n, va), func(t *testing.T) {
				s := build.NewConversation(build.Setup{PMTU: mtu})
				s.Connect()
				s.Write(build.ToClient, handle, va, memory(handle, va, n))
				s.Write(build.ToClient, handle+1, 8, memory(handle+1, 8, 4))
				d := record(t, s.Frames)
				d.only()
				d.placedRight()
				at := va
				for i, w := range d.writes[:len(d.writes)-1] {
					if w.from != 1 || w.handle != handle || w.offset != at || w.length != len(w.bytes) || w.frame != int64(4+i) || w.start != (i == 0) {
						t.Errorf("packet %d: from %d, handle 0x%x, %d bytes to 0x%x, frame %d", i, w.from, w.handle, w.length, w.offset, w.frame)
					}
					at += uint64(w.length)
				}
				if at-va != uint64(n) || len(d.writes) != max(1, (n+mtu-1)/mtu)+1 {
					t.Errorf("%d bytes in %d packets", at-va, len(d.writes)-1)
				}
			})
		}
	}
}

// Bytes beyond DMALen are placed nowhere; a Write that ends before it is
// placed as far as it came.
func TestWriteOfAnotherLength(t *testing.T) {
	for _, test := range []struct {
		dmaLen uint32
		want   []int // bytes of each packet, of which the sender made 1024, 1024 and 10
	}{
		{2058, []int{1024, 1024, 10}},
		{5000, []int{1024, 1024, 10}},
		{2050, []int{1024, 1024, 2}},
		{1500, []int{1024, 476, 0}},
		{0, []int{0, 0, 0}},
	} {
		s := build.NewConversation(build.Setup{})
		s.Connect()
		psn := s.NextPSN(build.ToServer)
		text := memory(9, 0x500, 2058)
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCWriteFirst, PSN: psn}, build.RETH{VA: 0x500, RKey: 9, DMALen: test.dmaLen}, build.Payload(text[:1024]))
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCWriteMiddle, PSN: psn + 1}, build.Payload(text[1024:2048]))
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCWriteLastImmediate, PSN: psn + 2}, build.ImmDt{Data: 1}, build.Payload(text[2048:]))
		d := record(t, s.Frames)
		d.placedRight()
		var got []int
		for _, w := range d.writes {
			got = append(got, w.length)
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("DMALen %d: packets of %v bytes, want %v", test.dmaLen, got, test.want)
		}
	}
}

func TestWriteCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Write(build.ToServer, 9, 0x500, memory(9, 0x500, 2500))
	for snap := 70; snap < 1100; snap += 11 {
		d := record(t, s.Frames.Cut(snap)[3:])
		if len(d.writes) != 3 {
			t.Fatalf("snap length %d: %d packets, want 3", snap, len(d.writes))
		}
		d.placedRight()
		if w := d.writes[2]; w.offset != 0x500+2048 || w.length != 2500-2048 || len(w.bytes) != max(0, min(w.length, snap-54)) {
			t.Errorf("snap length %d: the last packet is %d bytes to 0x%x, %d of them captured", snap, w.length, w.offset, len(w.bytes))
		}
	}
}
