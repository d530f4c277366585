package link

// nextNone is the Next Header of an IPv6 packet that carries nothing.
const nextNone = 59

// etherTypeName names an EtherType (IEEE registry), "" if it is none of these.
func etherTypeName(t uint16) string {
	switch t {
	case etherIPv4:
		return "IPv4"
	case 0x0806:
		return "ARP"
	case 0x22F3:
		return "TRILL"
	case 0x8035:
		return "RARP"
	case etherVLAN:
		return "802.1Q"
	case etherIPv6:
		return "IPv6"
	case etherMACControl:
		return "MAC control"
	case 0x8809:
		return "LACP"
	case etherMPLS:
		return "MPLS"
	case etherMPLSMulticast:
		return "MPLS multicast"
	case 0x8863, etherPPPoE:
		return "PPPoE"
	case 0x888E:
		return "802.1X"
	case etherServiceTag:
		return "802.1ad"
	case 0x88CC:
		return "LLDP"
	case 0x88E5:
		return "MACsec"
	case 0x88F7:
		return "PTP"
	case 0x8906:
		return "FCoE"
	case 0x8914:
		return "FIP"
	case etherRoCE:
		return "RoCEv1"
	case 0x9000:
		return "Ethernet loopback"
	case etherOldTag:
		return "802.1Q, old"
	case etherBridged:
		return "Ethernet"
	case etherERSPAN:
		return "ERSPAN"
	case etherERSPANIII:
		return "ERSPAN III"
	case etherPBB:
		return "802.1ah"
	case etherFabricPath:
		return "FabricPath"
	case etherVNTag:
		return "VN-tag"
	case etherNSH:
		return "NSH"
	case etherArista:
		return "Arista header"
	}
	return ""
}

func etherTypeEnum(v uint64) string {
	if v < minEtherType {
		return "802.3 length"
	}
	return etherTypeName(uint16(v))
}

// ipProtocolName names an IP protocol or IPv6 extension header (IANA
// "Protocol Numbers"), "" if it is none of these.
func ipProtocolName(p uint8) string {
	switch p {
	case nextHopByHop:
		return "IPv6 hop-by-hop"
	case protoICMP:
		return "ICMP"
	case 2:
		return "IGMP"
	case protoIPv4:
		return "IPv4 in IP"
	case protoTCP:
		return "TCP"
	case protoUDP:
		return "UDP"
	case protoIPv6:
		return "IPv6 in IP"
	case nextRouting:
		return "IPv6 routing"
	case nextFragment:
		return "IPv6 fragment"
	case protoGRE:
		return "GRE"
	case 50:
		return "ESP"
	case 51:
		return "AH"
	case protoICMPv6:
		return "ICMPv6"
	case nextNone:
		return "IPv6 no next header"
	case nextDestination:
		return "IPv6 destination options"
	case 89:
		return "OSPF"
	case 103:
		return "PIM"
	case 112:
		return "VRRP"
	case 132:
		return "SCTP"
	case 136:
		return "UDP-Lite"
	case protoMPLS:
		return "MPLS in IP"
	case protoEthernet:
		return "Ethernet in IP"
	}
	return ""
}

func ipProtocolEnum(v uint64) string { return ipProtocolName(uint8(v)) }

// ecnName names the two ECN bits (RFC 3168 section 5).
func ecnName(v uint64) string {
	return [...]string{"Not-ECT", "ECT(1)", "ECT(0)", "CE"}[v&3]
}

// erfTypeName names an ERF record type, "" if it is none of these.
func erfTypeName(v uint64) string {
	switch v {
	case 1:
		return "HDLC_POS"
	case erfEthernet:
		return "ETH"
	case 3:
		return "ATM"
	case 4:
		return "AAL5"
	case erfColorEthernet:
		return "COLOR_ETH"
	case erfDSMColorEthernet:
		return "DSM_COLOR_ETH"
	case erfColorHashEthernet:
		return "COLOR_HASH_ETH"
	case erfInfiniBand:
		return "INFINIBAND"
	case erfIPv4:
		return "IPV4"
	case erfIPv6:
		return "IPV6"
	case erfInfiniBandLink:
		return "INFINIBAND_LINK"
	case 27:
		return "META"
	case 48:
		return "PAD"
	}
	return ""
}

// erfExtensionName names an ERF extension header type, "" if it is none of these.
func erfExtensionName(v uint64) string {
	switch v {
	case 3:
		return "CLASSIFICATION"
	case 4:
		return "INTERCEPTID"
	case 5:
		return "RAW_LINK"
	case 6:
		return "BFS"
	case 12:
		return "CHANNELISED"
	case 14:
		return "SIGNATURE"
	case 17:
		return "FLOW_ID"
	case 18:
		return "HOST_ID"
	}
	return ""
}
