package link

// rocePort is the UDP destination port of RoCEv2 (IBA Annex A17).
const rocePort = 4791

// The EtherTypes and IP protocols that Decode follows.
const (
	etherIPv4       = 0x0800
	etherVLAN       = 0x8100 // 802.1Q customer tag
	etherIPv6       = 0x86DD
	etherMACControl = 0x8808
	etherMPLS       = 0x8847
	etherPPPoE      = 0x8864 // a session's packets
	etherServiceTag = 0x88A8 // 802.1ad service tag
	etherRoCE       = 0x8915 // RoCEv1: a GRH follows
	etherNSH        = 0x894F
	etherOldTag     = 0x9100 // tag of switches before 802.1ad

	// etherMPLSMulticast is MPLS with a label of the upstream router (RFC 5332).
	etherMPLSMulticast = 0x8848

	protoIPv4     = 4
	protoTCP      = 6
	protoICMP     = 1
	protoUDP      = 17
	protoICMPv6   = 58
	protoIPv6     = 41
	protoGRE      = 47
	protoMPLS     = 137 // RFC 4023
	protoEthernet = 143 // RFC 8986, section 10.1
)

// Options are what Decode can be told; the zero value is for ordinary captures.
type Options struct {
	// RoCEPort is a UDP port that carries RoCEv2 beside 4791; 0 for none.
	RoCEPort uint16
	// Left are the tunnels that are not looked into.
	Left Tunnels
}

// Decode finds the transport packet of one frame. The link type t says what
// data begins with; data are the captured bytes, and length is the number of
// bytes that the frame had on the wire (at least len(data), or len(data) is
// taken). UDP to port 4791, and to o.RoCEPort where that is not 0, is RoCEv2; the
// source port decides nothing. Tunnels that are not o.Left are looked into: what is
// found is what they carry.
//
// What is wrong is p.Fault. Where a header below the transport is not whole
// or is no such header, the frame is NotRDMA and Protocol names how far Decode
// came. Where only lengths contradict each other, the transport is still
// given, within the shortest of them.
//
// Decode allocates nothing.
func (p *Packet) Decode(t Type, data []byte, length int, o Options) {
	data = data[:min(len(data), MaxSize)]
	length = min(max(length, len(data)), MaxSize)
	if t == TypeEthernet && p.decodePlain(data, length, o.RoCEPort) {
		return
	}
	p.decodeAny(t, data, length, o, maxTunnels, nil)
}

// decodeAny is the general route, for frames of every kind. It looks into tunnels
// tunnels at most, and notes the headers in list, if that is not nil.
func (p *Packet) decodeAny(t Type, data []byte, length int, o Options, tunnels int, list *Headers) {
	*p = Packet{}
	d := decoder{Packet: p, data: data, wire: length, roce: o.RoCEPort, left: o.Left, limit: tunnels, list: list}
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
	// data are the captured bytes, in a tunnel up to its end.
	data []byte
	// wire is the end of the frame, or of what the tunnel carries, as it was on the
	// wire.
	wire int
	roce uint16
	// left are the tunnels that are not looked into, limit is how many of the others are.
	left  Tunnels
	limit int
	// tags, labels and extensionsSeen count what is bounded in a frame.
	tags, labels, extensionsSeen int
	list                         *Headers // takes the headers, nil if nobody asks
	// ip is the offset of the IP header, ipEnd that of the end of its packet.
	ip, ipEnd int
	// unsized is true where the IP header gives no length and ipEnd is wire.
	unsized bool
}

// header notes that a header of size bytes begins at at, and returns its
// bytes; if they were not all captured, that is a fault and the result nil.
func (d *decoder) header(kind layerKind, at, size int) []byte {
	if d.list != nil {
		d.list.addLayer(layer{uint16(at), uint16(size), kind})
	}
	if at+size <= len(d.data) {
		return d.data[at : at+size]
	}
	c := faultShort
	if len(d.data) < d.wire && !d.Cut() {
		c = faultSnapped
	}
	d.blame(len(d.data), c+faultCode(kind))
	return nil
}

// beyond notes that a header says at a byte that its packet ends at end, after the
// end of the frame. Where the record says itself that the frame was longer than what
// was captured, and yet not that long, that is a fault. Else the frame was cut before
// it was captured, as switches do that mirror only the first bytes of each.
func (d *decoder) beyond(offset, end int, c faultCode) {
	if !d.Tunneled() && !d.Cut() && len(d.data) < d.wire {
		d.blame(offset, c)
		return
	}
	d.flags |= isCut
	d.wire = end
}
