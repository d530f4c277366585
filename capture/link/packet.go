package link

import "github.com/rdmacap/rdmacap/field"

// Type is a LINKTYPE_ value, as capture files name what lies under the frame.
type Type uint32

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

// String is the transport as the JSON contract spells it.
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
type Packet struct {
	// Transport is what follows; with NotRDMA only Protocol, the layers and,
	// for IP, the addresses are set.
	Transport Transport
	// Src and Dst are the network addresses (IP, GID or LID).
	Src, Dst Addr
	// SrcPort and DstPort are the UDP or TCP ports, 0 elsewhere.
	SrcPort, DstPort uint16
	// Network is the offset in the frame of the header that an ICRC begins
	// at: the IP header, the GRH, or the LRH of a native frame. GRH is the
	// offset of the GRH, or -1.
	Network, GRH int
	// Start and End bound the transport packet in the frame: from BTH to the
	// end of the ICRC, or the TCP header and its segment, by the length fields
	// of the headers below; never a link trailer. End may lie beyond the captured octets.
	Start, End int
	// TCP is what the TCP header says, with Transport TCP.
	TCP Segment
	// IPID is the IPv4 identification, 0 elsewhere.
	IPID uint16
	// ECN are the two ECN bits of the IP header or GRH.
	ECN uint8
	// Fragment is true for an IP fragment; its transport is not looked at.
	Fragment bool
	// Protocol names what a NotRDMA frame is, for a person ("ARP", "ICMPv6",
	// "UDP"); it is "TCP" with TCP and empty with the other transports.
	Protocol string
	// Fault is the first thing wrong, with its octet in the frame.
	Fault field.Fault

	// layers are the headers that Nodes shows, of which nlayers count.
	layers  [maxLayers]layer
	nlayers int
	kept    keptName
}
