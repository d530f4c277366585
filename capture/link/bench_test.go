package link

import (
	"testing"
	"unsafe"
)

// BenchmarkDecode measures the frames that matter: those of a RoCEv2 capture on
// the straight-line route, and the others beside them.
func BenchmarkDecode(b *testing.B) {
	for _, v := range vectors() {
		b.Run(v.name, func(b *testing.B) {
			var p Packet
			b.ReportAllocs()
			for b.Loop() {
				p.Decode(v.link, v.data, len(v.data), Options{})
			}
		})
	}
}

// TestDecodeAllocatesNothing holds Decode to its promise for every vector.
func TestDecodeAllocatesNothing(t *testing.T) {
	for _, v := range vectors() {
		var p Packet
		if n := testing.AllocsPerRun(100, func() { p.Decode(v.link, v.data, len(v.data), Options{}) }); n != 0 {
			t.Errorf("%s: %v allocations a frame", v.name, n)
		}
		var h Headers
		if n := testing.AllocsPerRun(100, func() { h.Find(&p, v.link, v.data, len(v.data)) }); n != 0 {
			t.Errorf("%s: %v allocations to find the headers", v.name, n)
		}
	}
}

// A Packet is kept of every frame that is on its way from the goroutine that
// decodes to the one that follows, in a record of 200 bytes.
func TestPacketIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Packet{}); n > 80 {
		t.Errorf("a Packet has %d bytes", n)
	}
}
