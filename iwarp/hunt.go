package iwarp

import "encoding/binary"

// Bounds of a hunt.
const (
	// maxChain is the most bytes of the stream that are looked at, and kept,
	// for one candidate: four of the longest FPDUs and a header.
	maxChain = 4*maxFPDU + headerReach
	// strictLook is how many bytes a strict hunt looks at before it fails,
	// unless a chain of two FPDUs or more is then under way.
	strictLook = 64 << 10
	// trustLook is how many bytes are looked at in the belief that the sender
	// keeps to what was settled about markers and CRCs.
	trustLook = 256 << 10
	// sumsPerByte is how many bytes may be summed for each one that comes. A
	// stream made to look like FPDUs everywhere cannot cost more: its candidates
	// are then turned down unread.
	sumsPerByte = 64
	maxBudget   = 64 << 20
)

// search tries the candidates in what is kept, in their order, and reports
// whether there is more to do: whether one was found.
func (f *Framer) search() (again bool) {
	if f.at < f.want && !f.flushed {
		return false
	}
	f.known = f.known && f.looked <= trustLook
	for f.candidate() {
		c := f.follow(f.from)
		switch c.verdict {
		case rejected:
			f.from++
			continue
		case waiting:
			if f.strict && f.looked > strictLook && c.whole < 2 {
				f.fail()
				return false
			}
			f.want = c.want
			f.kept.drop(f.from)
			return false
		}
		f.known, f.marking = true, c.marking
		f.mode, f.strict = inStep, false
		f.kept.drop(f.from)
		if n := f.from - f.lost; n > 0 {
			f.to.Skipped(n)
		}
		return true
	}
	f.want = f.at + 1
	f.kept.drop(f.from)
	if f.strict && f.looked > strictLook {
		f.fail()
	}
	return false
}

// fail ends a strict hunt.
func (f *Framer) fail() {
	f.mode, f.failed = off, true
	f.kept = store{}
	f.gather = nil
}

// candidate moves from on to the next position, from itself included, where the
// two control bytes of a DDP segment stand after a ULPDU_Length, with a marker
// before it perhaps. It returns false if it comes to the end of what is kept.
func (f *Framer) candidate() bool {
	const look = fpduMarkerSize + lengthSize + 2
	for f.from < f.at {
		b, cut := f.kept.from(f.from)
		for i := 0; i+look <= len(b); i++ {
			if b[i+3]>>4 == version1<<2 && b[i+2]&(ddpReserved|ddpVersion) == version1 ||
				b[i+7]>>4 == version1<<2 && b[i+6]&(ddpReserved|ddpVersion) == version1 && binary.BigEndian.Uint32(b[i:]) == 0 {
				f.from += uint64(i)
				return true
			}
		}
		if cut == Whole && !f.flushed {
			// The last positions may be looked at when more has come.
			f.from += uint64(max(len(b)-look+1, 0))
			return false
		}
		f.from = f.kept.behindGap(f.from, f.at)
	}
	return false
}
