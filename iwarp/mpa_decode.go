package iwarp

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// Decode reads the frame that b begins with; b may go on after it. It returns
// the bytes that the whole frame takes, once that can be told, and whether all
// of them are in b. N is 0 if b is shorter than StartSize or does not begin with
// a key. A PD_Length of more than MaxPrivateData is a fault, and n is then
// StartSize: where the private data would end is not to be believed.
//
// A frame that b does not hold whole has a fault where b ends; in a stream the
// rest may be yet to come. With a fault, the fields before it are right, and
// what is not there is zero.
//
// No fault is what RFC 5044 has a receiver not check: reserved flags, R in a
// Request, S in revision 1. Linux siw, for one, can be built to set the reserved
// flag 0x08.
func (s *Start) Decode(b []byte) (n int, whole bool) {
	*s = Start{}
	if at := keyLength(b); at < min(len(b), keySize) {
		s.blame(at, "no key of an MPA Request or Reply")
		return 0, false
	}
	s.Reply = len(b) > replyAt && b[replyAt] == keyReply[replyAt]
	if len(b) > 16 {
		s.flags(b[16])
	}
	if len(b) > 17 {
		s.Revision = b[17]
	}
	if len(b) < StartSize {
		s.Bytes = b
		s.blame(len(b), s.cutShort())
		return 0, false
	}
	s.PDLength = int(binary.BigEndian.Uint16(b[18:]))
	if s.PDLength > MaxPrivateData {
		s.Bytes = b[:StartSize:StartSize]
		s.blame(18, "PD_Length is more than 512")
		return StartSize, true
	}
	n = StartSize + s.PDLength
	end := min(n, len(b))
	s.Bytes = b[:end:end]
	if s.enhanced() {
		s.depths()
	}
	if end < n {
		s.blame(end, s.cutShort())
	}
	return n, end == n
}

// replyAt is the byte in which the keys differ.
const replyAt = 9

func (s *Start) flags(v uint8) {
	s.Flags = v
	s.Markers = v&flagMarkers != 0
	s.CRC = v&flagCRC != 0
	s.Reject = v&flagReject != 0
	s.Enhanced = v&flagEnhanced != 0
}

// depths reads the enhanced setup.
func (s *Start) depths() {
	if s.PDLength < enhancedSize {
		s.blame(18, "PD_Length is less than the 4 bytes that S announces")
		return
	}
	if len(s.Bytes) < StartSize+enhancedSize {
		return
	}
	a, b := binary.BigEndian.Uint16(s.Bytes[20:]), binary.BigEndian.Uint16(s.Bytes[22:])
	s.HasDepths = true
	s.PeerToPeer, s.ZeroSend, s.IRD = a&0x8000 != 0, a&0x4000 != 0, a&depthMask
	s.ZeroWrite, s.ZeroRead, s.ORD = b&0x8000 != 0, b&0x4000 != 0, b&depthMask
}

// blame notes a fault, unless there is one before it.
func (s *Start) blame(at int, reason string) {
	if !s.Fault.Bad() || at < s.Fault.Offset {
		s.Fault = field.Fault{Offset: at, Reason: reason}
	}
}

// cutShort says what b does not hold whole. Of fewer than ten bytes nobody can
// tell a Request from a Reply.
func (s *Start) cutShort() string {
	switch {
	case len(s.Bytes) <= replyAt:
		return "MPA Request or Reply cut short"
	case s.Reply:
		return "MPA Reply cut short"
	}
	return "MPA Request cut short"
}
