package iwarp

import (
	"bytes"
	"testing"
)

// A record is a Receiver that writes down what it is handed, and holds the
// positions against each other.
type record struct {
	t       testing.TB
	fpdus   []FPDU // with bytes of their own
	skipped uint64
	gaps    int
	next    uint64
}

func (d *record) FPDU(f *FPDU) {
	d.t.Helper()
	if f.At != d.next {
		d.t.Fatalf("an FPDU at %d, but the one before or what was skipped ends at %d", f.At, d.next)
	}
	switch {
	case f.Length <= 0 || len(f.Raw) > f.Length || len(f.ULPDU) > f.ULPDULength:
		d.t.Fatalf("more bytes than there can be: %+v", f)
	case f.Cut == Whole && len(f.Raw) != f.Length, f.Cut == Whole && !f.Lost && len(f.ULPDU) != f.ULPDULength:
		d.t.Fatalf("whole, but bytes are missing: %+v", f)
	case f.Cut != Whole && (len(f.Raw) >= f.Length || f.CRCState != CRCUnchecked):
		d.t.Fatalf("cut, but nothing is missing, or the CRC is said to be known: %+v", f)
	case f.Lost && (!f.Fault.Bad() || f.ULPDU != nil):
		d.t.Fatalf("lost, but not so: %+v", f)
	case f.Fault.Bad() && f.Fault.Offset >= len(f.Raw):
		d.t.Fatalf("a fault beyond the bytes: %+v", f)
	}
	d.next += uint64(f.Length) // beyond the end of the stream if that cuts it
	own := *f
	own.Raw, own.ULPDU = bytes.Clone(f.Raw), bytes.Clone(f.ULPDU)
	d.fpdus = append(d.fpdus, own)
}

func (d *record) Skipped(n uint64) {
	d.t.Helper()
	if n == 0 {
		d.t.Fatal("no bytes are skipped")
	}
	d.skipped += n
	d.gaps++
	d.next += n
}

// whole are the FPDUs that are whole.
func (d *record) whole() (list []FPDU) {
	for _, f := range d.fpdus {
		if f.Cut == Whole && !f.Lost {
			list = append(list, f)
		}
	}
	return list
}

// lost counts the places where framing was lost.
func (d *record) lost() (n int) {
	for _, f := range d.fpdus {
		if f.Lost {
			n++
		}
	}
	return n
}

// compare holds what was handed on against what was sent, began being the byte
// of the sender's stream that is the Framer's first, and returns for each FPDU
// sent whether it came whole.
func (d *record) compare(s *sender, began int) (came []bool) {
	d.t.Helper()
	came = make([]bool, len(s.sent))
	index := make(map[int]int)
	for i, f := range s.sent {
		index[f.at] = i
	}
	for _, f := range d.fpdus {
		at := int(f.At) + began
		i, known := index[at]
		if !known || f.Lost {
			d.t.Errorf("an FPDU of %d bytes at %d that was not sent, lost %v", f.Length, at, f.Lost)
			continue
		}
		want := s.sent[i]
		if f.Length != want.end-want.at || f.ULPDULength != len(want.ulpdu) || f.FirstMarker != want.firstMarker || f.Fault.Bad() {
			d.t.Errorf("FPDU %d: length %d, ULPDU_Length %d, first marker %d, fault %v, want %d, %d, %d, none",
				i, f.Length, f.ULPDULength, f.FirstMarker, f.Fault, want.end-want.at, len(want.ulpdu), want.firstMarker)
		}
		if !bytes.Equal(f.Raw, s.stream[want.at:want.at+len(f.Raw)]) || !bytes.Equal(f.ULPDU, want.ulpdu[:len(f.ULPDU)]) {
			d.t.Errorf("FPDU %d: other bytes than sent", i)
		}
		if f.CRCState == CRCWrong || s.crc == rightCRC && f.CRCState == CRCNotUsed {
			d.t.Errorf("FPDU %d: CRC state %d", i, f.CRCState)
		}
		came[i] = f.Cut == Whole
	}
	return came
}
