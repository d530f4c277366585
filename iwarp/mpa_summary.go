package iwarp

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// AppendStartSummary appends one line about the frame, as in "MPA Request rev 2,
// no markers, CRC wanted, IRD 8, ORD 8, peer to peer, RTR: zero-length RDMA
// Read, 8 bytes of private data", with the fault if there is one.
func AppendStartSummary(dst []byte, s *Start) []byte {
	dst = s.appendSummary(dst)
	if s.Fault.Bad() {
		dst = append(dst, " ["...)
		dst = append(dst, s.Fault.String()...)
		dst = append(dst, ']')
	}
	return dst
}

// name is "MPA Request" or "MPA Reply", as far as that was captured.
func (s *Start) name() string {
	switch {
	case len(s.Bytes) <= replyAt:
		return "MPA"
	case s.Reply:
		return "MPA Reply"
	}
	return "MPA Request"
}

// appendSummary is AppendStartSummary without the fault.
func (s *Start) appendSummary(dst []byte) []byte {
	dst = append(dst, s.name()...)
	if len(s.Bytes) < StartSize {
		return dst // what it asks for was not read
	}
	dst = append(dst, " rev "...)
	dst = strconv.AppendUint(dst, uint64(s.Revision), 10)
	if s.Reply && s.Reject {
		dst = append(dst, ", rejected"...)
	}
	dst = append(dst, either(s.Markers, ", markers wanted", ", no markers")...)
	dst = append(dst, either(s.CRC, ", CRC wanted", ", no CRC")...)
	if s.HasDepths {
		dst = s.appendDepths(append(dst, ", "...))
	}
	if n := StartSize + s.PDLength - s.PrivateDataOffset(); n > 0 && s.PDLength <= MaxPrivateData {
		dst = field.AppendCount(append(dst, ", "...), int64(n), "byte")
		dst = append(dst, " of private data"...)
	}
	if v := s.uncheckedFlags(); v != 0 {
		dst = append(dst, ", flags without a meaning here: "...)
		dst = field.AppendHex(dst, uint64(v), 2)
	}
	return dst
}

// uncheckedFlags are the flags that are set though the receiver of this frame
// is not to look at them.
func (s *Start) uncheckedFlags() uint8 {
	v := s.Flags & flagsReserved
	if !s.Reply {
		v |= s.Flags & flagReject
	}
	if s.Revision < enhancedRevision {
		v |= s.Flags & flagEnhanced
	}
	return v
}

// appendDepths appends the enhanced setup.
func (s *Start) appendDepths(dst []byte) []byte {
	dst = appendDepth(append(dst, "IRD "...), s.IRD)
	dst = appendDepth(append(dst, ", ORD "...), s.ORD)
	return s.appendRTR(dst)
}

// appendRTR appends what is reported about the message that makes the responder
// ready. Without A the other flags mean nothing.
func (s *Start) appendRTR(dst []byte) []byte {
	if !s.PeerToPeer {
		return dst
	}
	dst = append(dst, ", peer to peer"...)
	before := ", RTR: "
	for _, kind := range [...]struct {
		set  bool
		name string
	}{{s.ZeroSend, "zero-length Send"}, {s.ZeroWrite, "zero-length RDMA Write"}, {s.ZeroRead, "zero-length RDMA Read"}} {
		if kind.set {
			dst = append(dst, before...)
			dst = append(dst, kind.name...)
			before = " or "
		}
	}
	return dst
}

func appendDepth(dst []byte, v uint16) []byte {
	if name := nameDepth(uint64(v)); name != "" {
		return append(dst, name...)
	}
	return strconv.AppendUint(dst, uint64(v), 10)
}

func either(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}
