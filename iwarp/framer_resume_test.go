package iwarp

import "testing"

// TestResume holds that an FPDU alone is found after a hole where somebody knows that it begins
// there, also where its CRC says nothing; and that a Framer which does not know whether there are
// markers takes nobody's word.
func TestResume(t *testing.T) {
	for _, crc := range []crcKind{rightCRC, zeroCRC, junkCRC} {
		for _, markers := range []bool{false, true} {
			s := newSender(markers, crc, 3).any(6, 1500)
			from, to := s.sent[2].at, s.sent[5].at
			d, f := &record{t: t}, new(Framer)
			f.Start(d, markers, use(crc))
			f.Data(s.stream[:from])
			f.Void(uint64(to-from), CutByLoss)
			f.Resume()
			if !f.Synchronized() {
				t.Fatalf("CRC %d, markers %v: out of step", crc, markers)
			}
			f.Data(s.stream[to:])
			f.Flush()
			whole := d.whole()
			if len(whole) != 3 || d.lost() != 0 || d.gaps != 1 || whole[2].At != uint64(to) {
				t.Errorf("CRC %d, markers %v: %d FPDUs, %d places lost, skipped %d times", crc, markers, len(whole), d.lost(), d.gaps)
			}
		}
	}
	var f Framer
	f.Hunt(&record{t: t}, CRCUnknown, true)
	f.Void(100, CutByLoss)
	if f.Resume(); f.Synchronized() {
		t.Error("in step without knowing whether there are markers")
	}
}
