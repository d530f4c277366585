package iwarp

import "testing"

// FuzzFramer reads its input as calls: a byte that says which and, with the
// next, how long, then the bytes. Nothing that a Framer hands on may
// contradict itself (the diary sees to that), and what it keeps is bounded.
func FuzzFramer(f *testing.F) {
	script := func(s *sender, hole int) (b []byte) {
		for i, x := range s.sent {
			call, n := s.stream[x.at:x.end], x.end-x.at
			if i == hole {
				b = append(b, 0x80|byte(n>>8), byte(n))
				continue
			}
			b = append(append(b, byte(n>>8), byte(n)), call...)
		}
		return b
	}
	for i := range 12 {
		s := newSender(i%2 == 0, crcKind(i%3), uint64(i)).any(12, 700)
		f.Add(uint8(i), script(s, i))
		f.Add(uint8(i), script(s, -1))
	}
	f.Add(uint8(1), script(newSender(false, zeroCRC, 1).any(40, 100), -1)[7:])
	f.Fuzz(func(t *testing.T, how uint8, b []byte) {
		d, f := &record{t: t}, new(Framer)
		use := CRCUse(how >> 2 % 3)
		switch how & 3 {
		case 0, 1:
			f.Start(d, how&1 != 0, use)
		default:
			f.Hunt(d, use, how&1 != 0)
		}
		told := uint64(0)
		for len(b) >= 2 {
			op, n := b[0], int(b[0]&0x3f)<<8|int(b[1])
			b = b[2:]
			switch {
			case op&0xc0 == 0xc0:
				strict := f.strict
				if f.Flush(); d.next > told || strict && !f.Synchronized() {
					return // the stream was reported to end in an FPDU, or was none
				}
				n = 0
			case op&0x80 != 0:
				f.Void(uint64(n), CutBySnap+Cut(n&1))
			default:
				n = min(n, len(b))
				f.Data(b[:n])
				b = b[n:]
			}
			told += uint64(n)
			if f.Position() != told || f.Held() > told || !f.Failed() && d.next > told+maxFPDU {
				t.Fatalf("at %d of %d, held from %d, handed on to %d", f.Position(), told, f.Held(), d.next)
			}
			if len(f.kept.buf) > 2*(maxChain+chunk) || len(f.kept.runs) > 2*maxRuns+2 {
				t.Fatalf("%d bytes in %d runs are kept", len(f.kept.buf), len(f.kept.runs))
			}
		}
		strict := f.strict
		if f.Flush(); !strict && d.next < told {
			t.Fatalf("told of %d bytes of %d", d.next, told)
		}
	})
}
