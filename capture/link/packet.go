package link

import "math"

// Type is a LINKTYPE_ value, as capture files name what lies under the frame.
type Type uint16

// Transport says what a frame carries for RDMA.
type Transport uint8

const (
	NotRDMA    Transport = iota // anything else
	RoCEv2                      // UDP port 4791
	RoCEv1                      // EtherType 0x8915, GRH
	InfiniBand                  // native: LRH, perhaps GRH
	TCP                         // may be iWARP
	IWARP                       // TCP that was found to carry MPA; Decode does not look so far
)

// String is "RoCEv2", "RoCEv1", "InfiniBand", "TCP" or "iWARP"; "" for NotRDMA.
func (t Transport) String() string {
	switch t {
	case RoCEv2:
		return "RoCEv2"
	case RoCEv1:
		return "RoCEv1"
	case InfiniBand:
		return "InfiniBand"
	case TCP:
		return "TCP"
	case IWARP:
		return "iWARP"
	}
	return ""
}

// A Packet is what lies between the link and the transport of one frame, as
// offsets and scalars. Decode fills the same Packet again and allocates nothing.
//
// It is part of what is kept of every frame, so it is small: the headers
// themselves, and the SACK blocks of TCP, are read from the bytes again by who
// looks at them.
type Packet struct {
	// src and dst are the words of the addresses, kinds their kinds: that of src
	// in the upper four bits.
	src, dst [2]uint64
	// TCP is what the TCP header says, with Transport TCP.
	TCP Segment
	end uint32
	// SrcPort and DstPort are the UDP or TCP ports, 0 elsewhere.
	SrcPort, DstPort uint16
	network, start   uint16
	// IPID is the IPv4 identification, 0 elsewhere.
	IPID uint16
	// faultAt is the byte at fault.
	faultAt uint16
	// number is that of the protocol in its registry, or where the opcode of a MAC control frame is.
	number uint16
	// Transport is what follows; with NotRDMA only Protocol and, for IP, the
	// addresses are set.
	Transport Transport
	// ECN are the two ECN bits of the IP header or GRH.
	ECN uint8

	kinds    uint8
	fault    faultCode
	protocol protocol
	flags    packetFlags
}

type packetFlags uint8

const (
	hasGRH packetFlags = 1 << iota
	isFragment
	isCut
	rightSum    // of TCP: see CheckTCPSum
	firstTunnel // the upper four bits count the tunnels
)

// MaxSize is how many bytes of a frame Decode looks at, and believes in: what
// is longer counts as that long.
const MaxSize = math.MaxInt32

// Compose makes a Packet of what somebody else found below the transport of a
// frame, as rocev2.ICRC needs it: where the header begins that an ICRC begins at,
// whether that is, or is followed by, a GRH, and where the transport packet begins
// and ends. Network and start are below 2^16, end below 2^31.
func Compose(t Transport, network int, grh bool, start, end int) Packet {
	p := Packet{Transport: t}
	if grh {
		p.flags |= hasGRH
	}
	p.place(network, start, end)
	return p
}

// Src is the network address (IP, GID or LID) of the sender.
func (p *Packet) Src() Addr { return Addr{p.src[0], p.src[1], addrKind(p.kinds >> 4)} }

// Dst is the network address of the receiver.
func (p *Packet) Dst() Addr { return Addr{p.dst[0], p.dst[1], addrKind(p.kinds & 15)} }

// between notes the addresses.
func (p *Packet) between(src, dst Addr) {
	p.src = [2]uint64{src.hi, src.lo}
	p.dst = [2]uint64{dst.hi, dst.lo}
	p.kinds = uint8(src.kind)<<4 | uint8(dst.kind)
}

// Network is the offset in the frame of the header that an ICRC begins at: the IP
// header, the GRH, or the LRH of a native frame.
func (p *Packet) Network() int { return int(p.network) }

// GRH is the offset in the frame of the GRH, or -1.
func (p *Packet) GRH() int {
	switch {
	case p.flags&hasGRH == 0:
		return -1
	case p.Transport == InfiniBand:
		return int(p.network) + lrhSize
	}
	return int(p.network)
}

// Start and End bound the transport packet in the frame: from BTH to the end of
// the ICRC, or the TCP header and its segment, by the length fields of the headers
// below; never a link trailer.
func (p *Packet) Start() int { return int(p.start) }

// End is where the transport packet ends, see Start. It may lie beyond the
// captured bytes.
func (p *Packet) End() int { return int(p.end) }

// Fragment is true for an IP fragment; its transport is not looked at.
func (p *Packet) Fragment() bool { return p.flags&isFragment != 0 }

// Cut reports whether the frame is longer than its record says: a mirror cut it
// before it was captured, and only the length of an IP packet or a GRH tells so.
// Where the record says itself how long the frame was, as it does of what a snap
// length cut, that is not told here.
func (p *Packet) Cut() bool { return p.flags&isCut != 0 }

// place notes where the transport packet lies. All the headers that a frame may
// stack (layer.go) end before byte 2^15.
func (p *Packet) place(network, start, end int) {
	p.network, p.start, p.end = uint16(network), uint16(start), uint32(end)
}
