package link

import "strconv"

// A protocol says what a frame is that carries no RDMA, in one byte: a name, or
// a registry in which the packet has the number.
type protocol uint8

const (
	noProtocol protocol = iota
	isUnknownLink
	isEthernet
	isVLAN
	isLLC
	isPause
	isPFCPause
	isMACControl
	isSLL
	isSLL2
	isLoopback
	isERF
	isInfiniBandLink
	isInfiniBand
	isInfiniBandRaw
	isInfiniBandIPv6
	isRoCEv1
	isRawIP
	isIPv4
	isIPv4Fragment
	isIPv6
	isUDP
	isTCP
	isERSPAN
	isVXLAN
	isGeneve
	isMPLS
	isPPPoE
	isFabricPath
	isVNTag
	isPBB
	isArista
	isNSH
	byEtherType  // IEEE registry
	byIPProtocol // IANA "Protocol Numbers"
	byERFType    // Endace ERF types reference
)

var protocolNames = [...]string{
	isUnknownLink:    "link type not known",
	isEthernet:       "Ethernet",
	isVLAN:           "VLAN",
	isLLC:            "802.3 LLC",
	isPause:          "PAUSE",
	isPFCPause:       "PFC pause",
	isMACControl:     "MAC control",
	isSLL:            "SLL",
	isSLL2:           "SLL2",
	isLoopback:       "loopback",
	isERF:            "ERF",
	isInfiniBandLink: "InfiniBand link packet",
	isInfiniBand:     "InfiniBand",
	isInfiniBandRaw:  "InfiniBand raw packet",
	isInfiniBandIPv6: "IPv6 in InfiniBand raw packet",
	isRoCEv1:         "RoCEv1",
	isRawIP:          "raw IP",
	isIPv4:           "IPv4",
	isIPv4Fragment:   "IPv4 fragment",
	isIPv6:           "IPv6",
	isUDP:            "UDP",
	isTCP:            "TCP",
	isERSPAN:         "ERSPAN",
	isVXLAN:          "VXLAN",
	isGeneve:         "Geneve",
	isMPLS:           "MPLS",
	isPPPoE:          "PPPoE",
	isFabricPath:     "FabricPath",
	isVNTag:          "VN-tag",
	isPBB:            "802.1ah",
	isArista:         "Arista header",
	isNSH:            "NSH",
}

// Protocol names what a NotRDMA frame is, for a person ("ARP", "ICMPv6", "UDP");
// it is "TCP" with TCP and empty with the other transports. It allocates for a
// number that has no name ("EtherType 0x88b5").
func (p *Packet) Protocol() string {
	n := p.number
	switch p.protocol {
	case byEtherType:
		if name := etherTypeName(n); name != "" {
			return name
		}
		digits := strconv.FormatUint(uint64(n), 16)
		return "EtherType 0x" + "0000"[len(digits):] + digits
	case byIPProtocol:
		if name := ipProtocolName(uint8(n)); name != "" {
			return name
		}
		return "IP protocol " + strconv.Itoa(int(n))
	case byERFType:
		if name := erfTypeName(uint64(n)); name != "" {
			return name
		}
		return "ERF type " + strconv.Itoa(int(n))
	}
	return protocolNames[p.protocol]
}

// SameProtocol reports whether Protocol is the same of both; it costs little.
func (p *Packet) SameProtocol(q *Packet) bool {
	return p.protocol == q.protocol && p.number == q.number
}

// is notes a protocol by its number in a registry.
func (p *Packet) is(registry protocol, number uint16) { p.protocol, p.number = registry, number }
