package tcp

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// units are those of one frame, collected only if someone looks at them.
type units struct {
	list   []flow.Unit
	faulty bool
	arena  []byte // bytes that are gone when the framer goes on
	pieces []flow.Piece
}

func (u *units) clear() {
	u.list, u.faulty, u.arena = u.list[:0], false, u.arena[:0]
	u.pieces = u.pieces[:0]
}

// next makes room for a unit.
func (u *units) next() *flow.Unit {
	if len(u.list) < cap(u.list) {
		u.list = u.list[:len(u.list)+1]
	} else {
		u.list = append(u.list, flow.Unit{})
	}
	return &u.list[len(u.list)-1]
}

// keep copies bytes.
func (u *units) keep(b []byte) []byte {
	at := len(u.arena)
	u.arena = append(u.arena, b...)
	return u.arena[at:len(u.arena):len(u.arena)]
}

// unitOfStart notes the side's MPA frame, of n bytes from position at of the
// stream.
func (s *direction) unitOfStart(at uint64, n int) {
	us := &s.env.units
	us.faulty = us.faulty || s.start.Fault.Bad()
	if !s.env.wantUnits {
		return
	}
	refs, _, _, _ := s.framesOf(at, at+uint64(n))
	u := us.next()
	*u = flow.Unit{Start: s.start, IsStart: true, First: refs[0], Last: refs[len(refs)-1]}
	u.Start.Bytes, u.At = s.stable(u.Start.Bytes, at)
	u.Pieces = s.piecesOf(at, len(u.Start.Bytes))
}

// unitOfFPDU notes an FPDU.
func (s *direction) unitOfFPDU(f *iwarp.FPDU, refs []flow.Ref, fault string) {
	us := &s.env.units
	us.faulty = us.faulty || f.Fault.Bad() || s.pdu.Fault.Bad() && f.Cut == iwarp.Whole || fault != ""
	if !s.env.wantUnits || len(refs) == 0 {
		return
	}
	u := us.next()
	if u.IsStart {
		u.Start, u.IsStart = iwarp.Start{}, false
	}
	u.FPDU, u.PDU, u.Fault = *f, s.pdu, fault
	u.First, u.Last = refs[0], refs[len(refs)-1]
	u.FPDU.Raw, u.At = s.stable(f.Raw, s.base+f.At)
	u.Pieces = s.piecesOf(s.base+f.At, len(f.Raw))
	const length = 2 // bytes of ULPDU_Length
	if f.FirstMarker < 0 && len(u.FPDU.Raw) >= length+len(f.ULPDU) {
		u.FPDU.ULPDU = u.FPDU.Raw[length : length+len(f.ULPDU)]
	} else {
		u.FPDU.ULPDU = us.keep(f.ULPDU)
	}
	u.PDU.Bytes = u.FPDU.ULPDU
}

// piecesOf are where n bytes of the stream lie, from a position on.
func (s *direction) piecesOf(at uint64, n int) []flow.Piece {
	us := &s.env.units
	start := len(us.pieces)
	us.pieces = s.appendPlaces(us.pieces, at, n, 0)
	return us.pieces[start:len(us.pieces):len(us.pieces)]
}

// stable returns bytes of the stream, from position at on, where they stay
// until the next frame: in the frame itself at offset in of its payload, or
// copied.
func (s *direction) stable(b []byte, at uint64) (data []byte, in int) {
	if i := s.runAt(at); i < len(s.origins) {
		o := &s.origins[i]
		if o.in >= 0 && o.ref == s.current && s.payload != nil && o.start <= at && at+uint64(len(b)) <= o.end {
			in = o.in + int(at-o.start)
			return s.payload[in : in+len(b)], in
		}
	}
	return s.env.units.keep(b), -1
}
