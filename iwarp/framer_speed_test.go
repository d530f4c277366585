package iwarp

import (
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// TestSteadyStateAllocatesNothing: whole FPDUs, FPDUs over several calls, markers.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for _, call := range []int{1 << 20, 1448, 100} {
			s := newSender(markers, rightCRC, 1)
			for len(s.stream)%512 != 0 || len(s.stream) == 0 {
				s.fpdu(s.tagged(0, false, s.bytes(1400)))
			}
			var n counter
			var f Framer
			f.Start(&n, markers, CRCUsed)
			if got := allocs.Per(20, func() {
				for at := 0; at < len(s.stream); at += call {
					f.Data(s.stream[at:min(at+call, len(s.stream))])
				}
			}); got != 0 {
				t.Errorf("markers %v, %d bytes a call: %v allocations", markers, call, got)
			}
			if want := 21 * len(s.sent); n.fpdus != want || n.right != want {
				t.Errorf("markers %v, %d bytes a call: %d FPDUs, %d right, want %d", markers, call, n.fpdus, n.right, want)
			}
		}
	}
}

// A counter is a Receiver that counts.
type counter struct{ fpdus, right int }

func (c *counter) FPDU(f *FPDU) {
	c.fpdus++
	if f.CRCState == CRCRight {
		c.right++
	}
}

func (c *counter) Skipped(uint64) {}

func BenchmarkFramer(b *testing.B) {
	for _, markers := range []bool{false, true} {
		for _, use := range []CRCUse{CRCUnused, CRCUsed} {
			for _, payload := range []int{100, 1400} {
				name := "unmarked"
				if markers {
					name = "marked"
				}
				if use == CRCUsed {
					name += "/CRC"
				}
				b.Run(name+"/"+field.ByteCount(payload), func(b *testing.B) {
					s := newSender(markers, rightCRC, 1)
					for len(s.stream)%512 != 0 || len(s.stream) == 0 {
						s.fpdu(s.tagged(0, false, s.bytes(payload)))
					}
					var f Framer
					f.Start(&counter{}, markers, use)
					b.SetBytes(int64(len(s.stream)))
					b.ReportAllocs()
					for b.Loop() {
						f.Data(s.stream)
					}
				})
			}
		}
	}
}
