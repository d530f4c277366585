package link

import "testing"

// BenchmarkDecode measures the frames that matter: those of a RoCEv2 capture on
// the straight-line route, and the others beside them.
func BenchmarkDecode(b *testing.B) {
	for _, v := range vectors() {
		b.Run(v.name, func(b *testing.B) {
			var p Packet
			b.ReportAllocs()
			for b.Loop() {
				p.Decode(v.link, v.data, len(v.data), 0)
			}
		})
	}
}

// TestDecodeAllocatesNothing holds Decode to its promise for every vector.
func TestDecodeAllocatesNothing(t *testing.T) {
	for _, v := range vectors() {
		var p Packet
		p.Decode(v.link, v.data, len(v.data), 0) // the first may make a kept name
		if n := testing.AllocsPerRun(100, func() { p.Decode(v.link, v.data, len(v.data), 0) }); n != 0 {
			t.Errorf("%s: %v allocations a frame", v.name, n)
		}
	}
}
