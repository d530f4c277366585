package iwarp

import "testing"

// TestSnapped: every FPDU begins a segment, of which the capture has the first
// bytes only. All come, cut.
func TestSnapped(t *testing.T) {
	for _, snap := range []int{24, 40, 96, 128} {
		for _, late := range []bool{false, true} {
			for _, markers := range []bool{false, true} {
				s := newSender(markers, rightCRC, uint64(snap)).any(100, 1400)
				d, f := &record{t: t}, new(Framer)
				if f.Start(d, markers, CRCUsed); late {
					f.Hunt(d, CRCUnknown, false)
				}
				for _, x := range s.sent {
					n := min(snap, x.end-x.at)
					f.Data(s.stream[x.at : x.at+n])
					f.Void(uint64(x.end-x.at-n), CutBySnap)
				}
				f.Flush()
				d.compare(s, 0)
				if late && markers {
					continue // most markers are cut off: nothing has to come
				}
				for i, x := range d.fpdus {
					if cut := s.sent[i].end-s.sent[i].at > snap; (x.Cut == CutBySnap) != cut || len(x.Raw) != min(x.Length, snap) {
						t.Errorf("snap %d: FPDU %d has %d of %d bytes, cut %d", snap, i, len(x.Raw), x.Length, x.Cut)
					}
				}
				if len(d.fpdus) != 100 || d.skipped != 0 {
					t.Errorf("snap %d, late %v, markers %v: %d FPDUs, %d bytes skipped", snap, late, markers, len(d.fpdus), d.skipped)
				}
			}
		}
	}
}

// TestEnd cuts a stream at every byte: what has begun comes cut once its header
// is there.
func TestEnd(t *testing.T) {
	for _, markers := range []bool{false, true} {
		s := newSender(markers, rightCRC, 7)
		s.fpdu(s.untagged(3, 0, s.bytes(500)))
		s.fpdu(s.tagged(0, true, s.bytes(600)))
		for n := range len(s.stream) + 1 {
			d, f := started(t, s, CRCUsed, s.stream[:n])
			d.compare(s, 0)
			if len(d.fpdus) > 0 && d.fpdus[len(d.fpdus)-1].Cut != Whole {
				if last := d.fpdus[len(d.fpdus)-1]; last.Cut != CutByLoss || int(last.At)+len(last.Raw) != n {
					t.Errorf("%d bytes: the last is %+v", n, last)
				}
			} else if int(d.next) != n {
				t.Errorf("%d bytes: %d handed on or skipped", n, d.next)
			}
			if f.Held() != uint64(n) || f.Position() != uint64(n) {
				t.Errorf("%d bytes: holds from %d on, at %d", n, f.Held(), f.Position())
			}
		}
	}
}

// TestHeld: what the Framer holds while an FPDU is not whole.
func TestHeld(t *testing.T) {
	s := newSender(false, zeroCRC, 1)
	s.fpdu(s.tagged(0, true, s.bytes(100)))
	second := len(s.stream)
	s.fpdu(s.tagged(0, true, s.bytes(100)))
	d, f := &record{t: t}, new(Framer)
	f.Start(d, false, CRCUnused)
	for i := range s.stream {
		f.Data(s.stream[i : i+1])
		want := uint64(0)
		switch {
		case i+1 == len(s.stream):
			want = uint64(i + 1)
		case i+1 >= second:
			want = uint64(second)
		}
		if f.Held() != want || f.Position() != uint64(i+1) {
			t.Fatalf("behind byte %d: held from %d on, at %d", i, f.Held(), f.Position())
		}
	}
	if len(d.fpdus) != 2 {
		t.Errorf("%d FPDUs", len(d.fpdus))
	}
}
