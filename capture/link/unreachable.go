package link

import "encoding/binary"

// An Unreachable is what an ICMP message says of a packet that did not reach its destination
// (RFC 792; RFC 4443, section 3.1): the sender of the message gives the beginning of the packet back.
type Unreachable struct {
	// Src and Dst are the addresses of the packet, UDP says that it is one of UDP and not of TCP,
	// Port is its destination port, and Why is what the type and code of the message say.
	Src, Dst Addr
	UDP      bool
	Port     uint16
	Why      UnreachableReason
}

// UnreachableReason is why a packet did not reach its destination.
type UnreachableReason uint8

const (
	OtherReason  UnreachableReason = iota
	NoRoute                        // there is no way to the network or to the host
	NoHost                         // the host does not answer on its link
	NobodyAtPort                   // the host has nobody at the port
	Prohibited                     // a firewall or a router does not let it through
	TooBig                         // it is longer than a link on the way takes, and may not be fragmented
)

const (
	unreachable4, unreachable6, packetTooBig6 = 3, 1, 2 // the types of ICMP and ICMPv6
	icmpHeader                                = 8       // bytes before the packet that is given back
	portsSize                                 = 4       // bytes of a UDP or TCP header that have its ports
	fragmentOffset                            = 0x1FFF  // of IPv4: only a packet's first fragment has its ports
)

// reason4 is that of a code of ICMP's Destination Unreachable (RFC 792; RFC 1812, section 5.2.7.1).
func reason4(code uint8) UnreachableReason {
	switch code {
	case 0, 5, 6, 11:
		return NoRoute
	case 1, 7, 12:
		return NoHost
	case 3:
		return NobodyAtPort
	case 4:
		return TooBig
	case 9, 10, 13:
		return Prohibited
	}
	return OtherReason
}

// reason6 is that of a code of ICMPv6 (RFC 4443, section 3.1).
func reason6(code uint8) UnreachableReason {
	switch code {
	case 0:
		return NoRoute
	case 3:
		return NoHost
	case 4:
		return NobodyAtPort
	case 1, 5, 6:
		return Prohibited
	}
	return OtherReason
}

// IsICMP reports whether the frame carries ICMP or ICMPv6.
func (p *Packet) IsICMP() bool {
	return p.protocol == byIPProtocol && (p.number == protoICMP || p.number == protoICMPv6)
}

// Unreachable is what the frame says of another packet; not ok if it is no such ICMP message, or what
// that gives back is cut or is neither of UDP nor of TCP.
func (h *Headers) Unreachable() (u Unreachable, ok bool) {
	p := &h.found
	if !p.IsICMP() || p.Faulty() {
		return u, false
	}
	_, _, start, _ := h.At(h.n - 1) // the message follows the last header
	if len(h.data) < start+icmpHeader {
		return u, false
	}
	b := h.data[start:]
	quoted := b[icmpHeader:]
	var protocol uint8
	switch {
	case p.number == protoICMP && b[0] == unreachable4 && len(quoted) >= ipv4Size && quoted[0]>>4 == 4 &&
		quoted[0]&0x0F >= ipv4Size/4 && binary.BigEndian.Uint16(quoted[6:])&fragmentOffset == 0:
		u.Src, u.Dst, u.Why, protocol = AddrIPv4(quoted[12:16]), AddrIPv4(quoted[16:20]), reason4(b[1]), quoted[9]
		quoted = quoted[min(len(quoted), int(quoted[0]&0x0F)*4):]
	case p.number == protoICMPv6 && (b[0] == unreachable6 || b[0] == packetTooBig6) && len(quoted) >= ipv6Size && quoted[0]>>4 == 6:
		u.Src, u.Dst, u.Why, protocol = AddrIPv6(quoted[8:24]), AddrIPv6(quoted[24:40]), reason6(b[1]), quoted[6]
		if b[0] == packetTooBig6 {
			u.Why = TooBig
		}
		quoted = quoted[ipv6Size:]
	}
	if protocol != protoUDP && protocol != protoTCP || len(quoted) < portsSize {
		return Unreachable{}, false
	}
	u.UDP, u.Port = protocol == protoUDP, binary.BigEndian.Uint16(quoted[2:])
	return u, true
}
