package iwarp

import "github.com/rdmacap/rdmacap/field"

// A Cut says why an FPDU does not have all its bytes.
type Cut uint8

const (
	Whole     Cut = iota
	CutBySnap     // the snap length of the capture
	CutByLoss     // frames that the capture lacks, or its end
)

// An FPDU is what MPA sends for one ULPDU (RFC 5044 section 4.1).
type FPDU struct {
	// At is the position in the stream (see Framer) of its first byte: of the
	// marker directly before ULPDU_Length, or of ULPDU_Length.
	At uint64
	// Length is the number of bytes of the stream that it takes: markers,
	// ULPDU_Length, ULPDU, pad, CRC.
	Length int
	// Raw is those bytes, from the first to where the capture lacks one.
	Raw []byte
	// FirstMarker is the offset of the first marker, -1 if the FPDU has none;
	// others follow every 512 bytes. It lies beyond Raw if Raw ends before.
	FirstMarker int
	// ULPDU is the ULPDU without markers, as far as Raw has it.
	ULPDU []byte
	// ULPDULength is ULPDU_Length.
	ULPDULength int
	// CRC is the CRC field, Computed what should be in it (see CRC for their
	// byte order). Computed is 0 where it was not computed: with CRCUnchecked,
	// in which case CRC is 0 too, and perhaps with CRCNotUsed.
	CRC, Computed uint32
	// CRCState is what comparing the two showed, or why they were not compared.
	CRCState CRCState
	// Cut says whether Raw is all of the FPDU, and if not, what cut it.
	Cut Cut
	// Lost says that this is not an FPDU: it is the place, after an FPDU, where
	// the next must begin and none can. Raw is what stands in the place of
	// ULPDU_Length and the marker before it; there is no ULPDU. What follows is
	// searched for the next FPDU.
	Lost bool
	// Least is, if Lost, how many bytes the ULPDU would have at least by what stands where it would
	// begin, TaggedSize or UntaggedSize.
	Least int
	// Fault is what is wrong with a marker, or with the place if Lost; its
	// offset is in Raw.
	Fault field.Fault
}

// Markers is how many markers stand in the FPDU.
func (f *FPDU) Markers() int {
	if f.FirstMarker < 0 {
		return 0
	}
	return 1 + (f.Length-1-f.FirstMarker)/fpduMarkerInterval
}

// A Receiver takes the FPDUs of one direction, in their order. What it is
// handed is valid during the call only, and it must not call the Framer.
type Receiver interface {
	// FPDU takes an FPDU that was found, or the place where none can be (FPDU.Lost).
	FPDU(f *FPDU)
	// Skipped says that n bytes of the stream, captured or not, belong to no
	// FPDU that could be told. They stand before what comes next.
	Skipped(n uint64)
}

// A Framer parts one direction of a TCP stream into FPDUs. Begin it with Start
// or Hunt, then tell it all of the stream, with Data and Void, in order.
// Positions count the bytes of the stream from where it began, those included
// that the capture lacks.
//
//	Start ──> in step ──FPDU──> Receiver
//	            │   ↑
//	   lost its │   │ Skipped
//	      place ↓   │
//	Hunt ───> hunting ──> failed (strict only)
//
// In step it knows where the next FPDU begins. FPDUs that are wholly in the
// bytes of one call are handed on where they are; another is put together in a
// buffer that is used again. It is out of step if the place of a ULPDU_Length is
// missing from the capture, or holds what no FPDU begins with. Then it keeps
// bytes, at most some 300 KiB, until it has found FPDUs in them, and hands
// these on: what the search takes is time, not FPDUs.
type Framer struct {
	to     Receiver
	mode   mode
	strict bool
	failed bool

	known   bool    // whether and where there are markers
	marking marking // if known
	crc     crcLedger
	doubt   bool // the CRC of the FPDU before was wrong: so may be its length
	// sent is the newest segment of a Send that was handed on, whose MSN the next one's
	// follows; its value is 0 if there was none.
	sent trait

	at   uint64 // of the next byte that Data brings
	from uint64 // in step: of the next FPDU; hunting: of the next candidate
	lost uint64 // hunting: where it lost its place, or began
	want uint64 // at must get here before there is anything new to see
	kept store  // the bytes from from on, if there are any

	looked uint64 // hunting: bytes that were looked at
	budget int    // bytes that may be summed in vain

	flushed bool   // the stream ends at at
	out     FPDU   // what is handed on
	gather  []byte // the ULPDU, if it has to be copied
}

type mode uint8

const (
	off mode = iota // not begun, or failed
	inStep
	hunting
)

// Start begins a stream whose next byte is the first of the first FPDU, the
// marker before it included: this is position 0. Markers says whether the
// direction has them, which its receiver asked for in its start-up frame.
func (f *Framer) Start(to Receiver, markers bool, use CRCUse) {
	f.beginStream(to, inStep, use)
	f.known, f.marking = true, marking{on: markers}
}

// Hunt begins in the middle of a stream whose start-up was not seen. The next
// byte, which may be any, is position 0. Strict is for a stream of which
// nothing says that it is iWARP (see the comment on evidence).
func (f *Framer) Hunt(to Receiver, use CRCUse, strict bool) {
	f.beginStream(to, hunting, use)
	f.strict = strict
}

func (f *Framer) beginStream(to Receiver, mode mode, use CRCUse) {
	f.kept.reset()
	*f = Framer{to: to, mode: mode, crc: crcLedger{use: use}, kept: f.kept, gather: f.gather[:0]}
}

// chunk is how many bytes are kept at a time while hunting, which bounds what
// is kept whatever the length of a call's data.
const chunk = 64 << 10

// Data takes the next bytes of the stream, which stay the caller's.
func (f *Framer) Data(b []byte) {
	begins := true // b has not been touched
	for len(b) > 0 {
		n := len(b)
		switch {
		case f.mode == off:
			f.at += uint64(n)
			return
		case f.mode == hunting:
			n = min(n, chunk)
		case f.kept.empty():
			done := f.inPlace(b)
			begins = begins && done == 0
			f.at += uint64(done)
			if b = b[done:]; len(b) == 0 {
				return
			}
			n = min(len(b), headerReach)
		default:
			n = int(min(uint64(n), f.want-f.at))
		}
		f.keep(b[:n], begins && len(b) >= headerReach)
		begins = false
		b = b[n:]
		f.advance()
	}
}

// keep puts bytes into the store.
func (f *Framer) keep(b []byte, begins bool) {
	f.kept.addBytes(f.at, b, begins)
	f.at += uint64(len(b))
	if f.mode == hunting {
		f.looked += uint64(len(b))
	}
	f.budget = min(f.budget+len(b)*sumsPerByte, maxBudget)
}

// farthest is a position that no stream gets to, so that positions can be added
// to without care.
const farthest = 1 << 62

// Void says that the capture lacks the next n bytes of the stream. Why is
// CutBySnap or CutByLoss.
func (f *Framer) Void(n uint64, why Cut) {
	if n == 0 {
		return
	}
	n = min(n, farthest-min(f.at, farthest))
	f.kept.void(n, why)
	f.at += n
	f.advance()
}

// Resume says that an FPDU begins at the next byte, as somebody knows who saw those before, which
// are missing. It does nothing where it is not known whether there are markers.
func (f *Framer) Resume() {
	if f.mode != hunting || !f.known {
		return
	}
	f.mode, f.strict, f.doubt = inStep, false, false
	f.kept.reset()
	if n := f.at - f.lost; n > 0 {
		f.to.Skipped(n)
	}
	f.from, f.lost, f.want = f.at, f.at, 0
}

// Flush says that the stream ends here. An FPDU that has begun is handed on cut
// if its length is known, and all other bytes are skipped. Of a strict hunt
// that has found nothing, nothing is reported.
func (f *Framer) Flush() {
	f.flushed = true
	f.advance()
	f.flushed = false
	if f.mode == hunting && !f.strict && f.lost < f.at {
		f.to.Skipped(f.at - f.lost)
	}
	f.kept.reset()
	f.from, f.lost, f.want = f.at, f.at, 0
}

// advance does all that can be done with what is kept.
func (f *Framer) advance() {
	for again := true; again; {
		switch f.mode {
		case inStep:
			again = f.step()
		case hunting:
			again = f.search()
		default:
			again = false
		}
	}
}

// Position is that of the next byte that Data or Void brings.
func (f *Framer) Position() uint64 { return f.at }

// Held is the position of the first byte that may still be part of an FPDU to
// be handed on, Position if that is none of those before.
func (f *Framer) Held() uint64 {
	if f.mode == off {
		return f.at
	}
	return min(f.from, f.at)
}

// Synchronized reports whether it is known where the next FPDU begins.
func (f *Framer) Synchronized() bool { return f.mode == inStep }

// Failed reports that a strict hunt is over: this is no iWARP stream. All bytes
// are ignored from then on.
func (f *Framer) Failed() bool { return f.failed }
