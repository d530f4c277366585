package link

// rocePort is the UDP destination port of RoCEv2 (IBA Annex A17).
const rocePort = 4791

// The EtherTypes and IP protocols that Decode follows.
const (
	etherIPv4       = 0x0800
	etherVLAN       = 0x8100 // 802.1Q customer tag
	etherIPv6       = 0x86DD
	etherMACControl = 0x8808
	etherServiceTag = 0x88A8 // 802.1ad service tag
	etherRoCE       = 0x8915 // RoCEv1: a GRH follows
	etherOldTag     = 0x9100 // tag of switches before 802.1ad

	protoTCP = 6
	protoUDP = 17
)

// Decode finds the transport packet of one frame. The link type t says what
// data begins with; data are the captured octets, and length is the number of
// octets that the frame had on the wire (at least len(data), or len(data) is
// taken). UDP to port 4791, and to roce where that is not 0, is RoCEv2; the
// source port decides nothing.
//
// What is wrong is p.Fault. Where a header below the transport is not whole
// or is no such header, the frame is NotRDMA and Protocol names how far Decode
// came. Where only lengths contradict each other, the transport is still
// given, within the shortest of them.
//
// Decode allocates nothing.
func (p *Packet) Decode(t Type, data []byte, length int, roce uint16) {
	data = data[:min(len(data), MaxSize)]
	length = min(max(length, len(data)), MaxSize)
	if t == TypeEthernet && p.decodePlain(data, length, roce) {
		return
	}
	p.decodeAny(t, data, length, roce, nil)
}

// decodeAny is the general route, for frames of every kind. It notes the headers
// in list, if that is not nil.
func (p *Packet) decodeAny(t Type, data []byte, length int, roce uint16, list *Headers) {
	*p = Packet{}
	d := decoder{Packet: p, data: data, wire: length, roce: roce, list: list}
	switch t {
	case TypeEthernet:
		d.ethernet(0)
	case TypeSLL:
		d.sll()
	case TypeSLL2:
		d.sll2()
	case TypeRaw:
		d.rawIP(0)
	case TypeIPv4:
		d.ipv4(0)
	case TypeIPv6:
		d.ipv6(0)
	case TypeNull, TypeLoop:
		d.loopback(t)
	case TypeInfiniBand:
		d.infiniband(0)
	case TypeERF:
		d.erf()
	default:
		p.protocol = isUnknownLink
	}
}

// A decoder is one frame on its way into a Packet.
type decoder struct {
	*Packet
	data []byte
	// wire is the end of the frame as it was on the wire.
	wire int
	roce uint16
	list *Headers // takes the headers, nil if nobody asks
	// ip is the offset of the IP header, ipEnd that of the end of its packet.
	ip, ipEnd int
	// unsized is true where the IP header gives no length and ipEnd is wire.
	unsized bool
}

// header notes that a header of size octets begins at at, and returns its
// octets; if they were not all captured, that is a fault and the result nil.
func (d *decoder) header(kind layerKind, at, size int) []byte {
	if d.list != nil {
		d.list.add(layer{uint16(at), uint16(size), kind})
	}
	if at+size <= len(d.data) {
		return d.data[at : at+size]
	}
	c := faultShort
	if len(d.data) < d.wire {
		c = faultSnapped
	}
	d.blame(len(d.data), c+faultCode(kind))
	return nil
}
