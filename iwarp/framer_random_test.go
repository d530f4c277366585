package iwarp

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// A hole is bytes of the stream that the capture lacks.
type hole struct{ from, to int }

// feed tells the stream from a byte on in calls of random length, the holes
// left out. Segments makes calls end where FPDUs end, too.
func feed(f *Framer, s *sender, from int, holes []hole, rnd *rand.Rand, segments bool) {
	longest := 1 << rnd.IntN(17)
	ends := make(map[int]bool)
	for _, x := range s.sent {
		ends[x.end] = segments
	}
	missing := make([]bool, len(s.stream))
	for _, h := range holes {
		for i := h.from; i < h.to; i++ {
			missing[i] = true
		}
	}
	for at := from; at < len(s.stream); {
		end := at + 1
		for n := rnd.IntN(longest); n > 0 && end < len(s.stream) && missing[end] == missing[at] && (missing[at] || !ends[end]); n-- {
			end++
		}
		if missing[at] {
			f.Void(uint64(end-at), CutByLoss)
		} else {
			call := append([]byte(nil), s.stream[at:end]...)
			f.Data(call)
			for i := range call {
				call[i] = 0xee // it is the caller's again
			}
		}
		at = end
	}
	f.Flush()
}

// intact reports which FPDUs have all bytes from a byte on.
func intact(s *sender, from int, holes []hole) []bool {
	list := make([]bool, len(s.sent))
	for i, f := range s.sent {
		list[i] = f.at >= from
		for _, h := range holes {
			list[i] = list[i] && (h.to <= f.at || f.end <= h.from)
		}
	}
	return list
}

// TestAllComeFromTheStart: without holes, every FPDU comes, whatever the calls.
func TestAllComeFromTheStart(t *testing.T) {
	for seed := range long.Pick[uint64](100, 300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := newSender(seed%2 == 0, crcKind(seed/2%3), seed).any(40, 1<<(6+rnd.IntN(11))-UntaggedSize)
		use := CRCUse(rnd.IntN(3))
		if use == CRCUsed && s.crc != rightCRC {
			use = CRCUnused
		}
		d := &record{t: t}
		var f Framer
		f.Start(d, s.markers, use)
		feed(&f, s, 0, nil, rnd, false)
		if use == CRCUnused {
			s.crc = zeroCRC // not looked at
		}
		for i, came := range d.compare(s, 0) {
			if !came {
				t.Fatalf("seed %d: FPDU %d did not come", seed, i)
			}
		}
		if d.skipped != 0 || f.Position() != uint64(len(s.stream)) || f.Held() != f.Position() || !f.Synchronized() {
			t.Fatalf("seed %d: %d bytes skipped, at %d of %d, held from %d", seed, d.skipped, f.Position(), len(s.stream), f.Held())
		}
	}
}

// TestWhateverIsMissing: nothing comes that was not sent. With right CRCs, every
// FPDU comes of which no byte is missing.
func TestWhateverIsMissing(t *testing.T) {
	came, sent := 0, 0
	for seed := range long.Pick[uint64](150, 500) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		s := newSender(seed%2 == 0, crcKind(seed/2%3), seed).any(60, 1<<(6+rnd.IntN(9)))
		var holes []hole
		for range 1 + rnd.IntN(5) {
			from := rnd.IntN(len(s.stream))
			holes = append(holes, hole{from, min(from+1+rnd.IntN(3000), len(s.stream))})
		}
		use := CRCUnused
		if s.crc == rightCRC {
			use = CRCUsed - CRCUse(rnd.IntN(2))
		}
		d := &record{t: t}
		var f Framer
		f.Start(d, s.markers, use)
		feed(&f, s, 0, holes, rnd, rnd.IntN(2) == 0)
		whole := d.compare(s, 0)
		for i, is := range intact(s, 0, holes) {
			if is {
				sent++
			}
			if whole[i] {
				came++
			}
			if whole[i] && !is || is && !whole[i] && s.crc == rightCRC {
				t.Fatalf("seed %d: FPDU %d came whole: %v, but all of it is there: %v", seed, i, whole[i], is)
			}
		}
	}
	t.Logf("%d of %d FPDUs came", came, sent)
	if came < sent*9/10 {
		t.Error("too few")
	}
}

// TestFromAnywhere begins in the middle: nothing comes that was not sent, and
// once something has come, all does.
func TestFromAnywhere(t *testing.T) {
	late, missed := 0, 0
	for seed := range long.Pick[uint64](150, 500) {
		if t.Failed() {
			t.Fatalf("seed %d", seed-1)
		}
		rnd := rand.New(rand.NewPCG(seed, 3))
		s := newSender(seed%2 == 0, crcKind(seed/2%3), seed).any(150, 2000)
		from := 1 + rnd.IntN(len(s.stream)/3)
		strict := rnd.IntN(3) == 0
		if strict && s.crc == junkCRC {
			strict = false
		}
		d := &record{t: t}
		var f Framer
		f.Hunt(d, CRCUnknown, strict)
		feed(&f, s, from, nil, rnd, rnd.IntN(2) == 0)
		whole, there := d.compare(s, from), intact(s, from, nil)
		began := false
		for i := range whole {
			if there[i] && began && !whole[i] {
				t.Fatalf("seed %d: FPDU %d did not come, but one before it", seed, i)
			}
			if there[i] && !whole[i] {
				missed++
			}
			began = began || whole[i]
		}
		if !began {
			t.Fatalf("seed %d: nothing came of %d bytes, markers %v, CRC %d, strict %v", seed, len(s.stream)-from, s.markers, s.crc, strict)
		}
		late++
	}
	t.Logf("%d streams, %d FPDUs missed at their beginning", late, missed)
	if missed > late {
		t.Error("too many")
	}
}
