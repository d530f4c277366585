package link

import "strconv"

// The link types that Decode knows, by their values in the registry of
// LINKTYPE_ names (IANA "PCAP LinkType List", draft-ietf-opsawg-pcaplinktype).
const (
	TypeNull       Type = 0   // LINKTYPE_NULL: BSD loopback, family in the capturing host's byte order
	TypeEthernet   Type = 1   // LINKTYPE_ETHERNET
	TypeRaw        Type = 101 // LINKTYPE_RAW: IPv4 or IPv6 by the version nibble
	TypeLoop       Type = 108 // LINKTYPE_LOOP: OpenBSD loopback, family in network byte order
	TypeSLL        Type = 113 // LINKTYPE_LINUX_SLL: the "any" device of Linux
	TypeERF        Type = 197 // LINKTYPE_ERF: Extensible Record Format of DAG cards and ibdump
	TypeIPv4       Type = 228 // LINKTYPE_IPV4
	TypeIPv6       Type = 229 // LINKTYPE_IPV6
	TypeInfiniBand Type = 247 // LINKTYPE_INFINIBAND: from the LRH on
	TypeSLL2       Type = 276 // LINKTYPE_LINUX_SLL2
)

// Known reports whether Decode can read frames of that link type.
func (t Type) Known() bool { return t.name() != "" }

// String is the name in the registry ("LINKTYPE_ETHERNET"), or "LINKTYPE 147"
// for a type that Decode does not know.
func (t Type) String() string {
	if name := t.name(); name != "" {
		return name
	}
	return "LINKTYPE " + strconv.FormatUint(uint64(t), 10)
}

func (t Type) name() string {
	switch t {
	case TypeNull:
		return "LINKTYPE_NULL"
	case TypeEthernet:
		return "LINKTYPE_ETHERNET"
	case TypeRaw:
		return "LINKTYPE_RAW"
	case TypeLoop:
		return "LINKTYPE_LOOP"
	case TypeSLL:
		return "LINKTYPE_LINUX_SLL"
	case TypeERF:
		return "LINKTYPE_ERF"
	case TypeIPv4:
		return "LINKTYPE_IPV4"
	case TypeIPv6:
		return "LINKTYPE_IPV6"
	case TypeInfiniBand:
		return "LINKTYPE_INFINIBAND"
	case TypeSLL2:
		return "LINKTYPE_LINUX_SLL2"
	}
	return ""
}
