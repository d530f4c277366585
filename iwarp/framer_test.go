package iwarp

import (
	"testing"
)

// started tells a whole stream to a Framer that has seen the start-up.
func started(t *testing.T, s *sender, use CRCUse, stream []byte) (*record, *Framer) {
	t.Helper()
	d, f := &record{t: t}, new(Framer)
	f.Start(d, s.markers, use)
	f.Data(stream)
	f.Flush()
	return d, f
}

func use(crc crcKind) CRCUse {
	if crc == rightCRC {
		return CRCUsed
	}
	return CRCUnused
}

// TestBadMessages: a message that is no DDP segment, in its place, is handed on.
func TestBadMessages(t *testing.T) {
	for _, crc := range []crcKind{rightCRC, zeroCRC, junkCRC} {
		for _, markers := range []bool{false, true} {
			for _, bad := range [][]byte{nil, {1}, make([]byte, 13), {0x41, 0x4f, 17: 0}, {0x42, 0x43, 999: 0}, {0xbd, 0x40, 99: 1}} {
				for _, behind := range []int{0, 30} {
					s := newSender(markers, crc, 3).any(9, 1500)
					s.fpdu(bad)
					s.any(behind, 1500)
					d, f := started(t, s, use(crc), s.stream)
					for i, came := range d.compare(s, 0) {
						if !came {
							t.Errorf("CRC %d, markers %v, %x, %d behind: FPDU %d did not come", crc, markers, bad, behind, i)
						}
					}
					if !f.Synchronized() {
						t.Errorf("CRC %d, markers %v, %x: out of step", crc, markers, bad)
					}
				}
			}
		}
	}
}

// TestGarbage: bytes between FPDUs that are none are reported to be, and all after
// them comes.
func TestGarbage(t *testing.T) {
	for _, crc := range []crcKind{rightCRC, zeroCRC} {
		for seed := range uint64(200) {
			s := newSender(false, crc, seed).any(20, 1500)
			garbage := s.bytes(1 + s.rnd.IntN(300))
			if seed%4 == 0 {
				garbage = make([]byte, len(garbage))
			}
			at := len(s.stream)
			s.stream = append(s.stream, garbage...)
			s.any(20, 1500)
			d, _ := started(t, s, use(crc), s.stream)
			if d.lost() != 1 || d.gaps != 1 {
				t.Errorf("CRC %d, seed %d: %d places lost, skipped %d times", crc, seed, d.lost(), d.gaps)
			}
			for i, f := range d.fpdus {
				if f.Lost && (f.At != uint64(at) || i != 20 || f.Length != 2) {
					t.Errorf("CRC %d, seed %d: lost at %d, want %d: %+v", crc, seed, f.At, at, f)
				}
			}
			whole := d.whole()
			if n := len(whole); n < 38 || n > 40 || crc == rightCRC && n != 40 {
				t.Errorf("CRC %d, seed %d: %d FPDUs of 40", crc, seed, n)
			}
			for i := range whole {
				sent := i
				if i >= 20 {
					sent += 40 - len(whole)
				}
				want := s.sent[sent]
				if whole[i].At != uint64(want.at) || whole[i].Length != want.end-want.at {
					t.Errorf("CRC %d, seed %d: FPDU %d at %d, %d bytes, want %+v", crc, seed, i, whole[i].At, whole[i].Length, want)
				}
			}
		}
	}
}

// TestDamage changes bits of an FPDU whose CRC is in use.
func TestDamage(t *testing.T) {
	s := newSender(false, rightCRC, 1)
	for range 9 {
		s.fpdu(s.tagged(0, true, s.bytes(400))) // ULPDU_Length 0x019e
	}
	hurt := s.sent[4]
	for _, c := range []struct {
		name        string
		at          int
		bits        byte
		lost, whole int
	}{
		{"payload", 100, 0x10, 0, 9},
		{"CRC", hurt.end - hurt.at - 1, 0x10, 0, 9},
		{"STag", 5, 0x10, 0, 9},
		{"opcode", 3, 0x10, 0, 9}, // the FPDUs after it show that it has its place
		{"ULPDU_Length, 16 less", 1, 0x10, 1, 9},
		{"ULPDU_Length, 32 more", 1, 0x20, 1, 8}, // the front of the next one is in it
	} {
		b := append([]byte(nil), s.stream...)
		b[hurt.at+c.at] ^= c.bits
		d, f := started(t, s, CRCUsed, b)
		if d.lost() != c.lost || len(d.whole()) != c.whole || !f.Synchronized() {
			t.Errorf("%s: %d places lost, %d FPDUs whole, want %d, %d; in step %v", c.name, d.lost(), len(d.whole()), c.lost, c.whole, f.Synchronized())
		}
		for i, x := range d.fpdus {
			if (i == 4) != (x.CRCState == CRCWrong) {
				t.Errorf("%s: FPDU %d has CRC state %d", c.name, i, x.CRCState)
			}
		}
	}
}

// TestZeroFramer: nothing happens before Start or Hunt.
func TestZeroFramer(t *testing.T) {
	var f Framer
	f.Data(make([]byte, 99))
	f.Void(1, CutByLoss)
	f.Flush()
	if f.Position() != 100 || f.Held() != 100 || f.Synchronized() || f.Failed() {
		t.Errorf("%+v", f)
	}
}

// TestFarAway: positions do not wrap, whatever is reported to be missing.
func TestFarAway(t *testing.T) {
	s := newSender(false, rightCRC, 1).any(9, 300)
	d, f := &record{t: t}, new(Framer)
	f.Start(d, false, CRCUsed)
	for range 5 {
		f.Void(1<<63, CutByLoss)
		f.Data(s.stream)
	}
	f.Flush()
	if n := len(d.whole()); n != 45 || f.Position() < farthest {
		t.Errorf("%d FPDUs, at %d", n, f.Position())
	}
}
