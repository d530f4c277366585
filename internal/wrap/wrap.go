package wrap

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// A Kind is one way to wrap a frame.
type Kind struct {
	// Name is the name of the kind, for people.
	Name string
	// Frame wraps an Ethernet frame. It returns frames as they are that do not fit: where
	// the kind carries IP, those of anything else.
	Frame func(frame []byte) []byte
	// Decap is the kind's name on the command line.
	Decap string
}

// The values in the headers, for tests that look for them.
const (
	Session = 291      // of ERSPAN
	VNI     = 0xABCDE  // of VXLAN and Geneve
	Label   = 0x12345  // the bottom MPLS label
	ISID    = 0x654321 // of 802.1ah
	GREKey  = 0x00ABCD07
	SPI     = 0x102030 // of NSH
)

// Kinds lists the ways to wrap a frame.
func Kinds() []Kind {
	// ERSPAN II: version 1, VLAN 0, COS 3, session 291 (0x123), index 0x45678.
	const two = "1000 6123 00045678"
	// ERSPAN III: version 2, COS 3, session 291, time stamp, SGT 9, P, FT 0, Hw ID 5, D, Gra 1.
	const three = "2000 6123 01020304 0009 815a"
	carriesFrame := func(decap, name string, around func([]byte) []byte, header string) Kind {
		return Kind{name, func(f []byte) []byte { return around(join(header, f)) }, decap}
	}
	ip4 := func(protocol byte) func([]byte) []byte {
		return func(b []byte) []byte { return ethernet("0800", ipv4(protocol, b)) }
	}
	ip6 := func(protocol byte) func([]byte) []byte {
		return func(b []byte) []byte { return ethernet("86dd", ipv6(protocol, b)) }
	}
	udp4 := func(port uint16) func([]byte) []byte {
		return func(b []byte) []byte { return ip4(17)(udp(port, b)) }
	}
	udp6 := func(port uint16) func([]byte) []byte {
		return func(b []byte) []byte { return ip6(17)(udp(port, b)) }
	}
	ether := func(etherType string) func([]byte) []byte {
		return func(b []byte) []byte { return ethernet(etherType, b) }
	}
	list := []Kind{
		carriesFrame("erspan", "ERSPAN I", ip4(47), "000088be"),
		carriesFrame("erspan", "ERSPAN II", ip4(47), "100088be 00000007"+two),
		carriesFrame("erspan", "ERSPAN II over IPv6", ip6(47), "100088be 00000007"+two),
		carriesFrame("erspan", "ERSPAN III", ip4(47), "100022eb 00000007"+three),
		carriesFrame("erspan", "ERSPAN III with a subheader over IPv6", ip6(47), "100022eb 00000007 2000 6123 01020304 0009 815b 0c000003 00000011"),
		carriesFrame("gre", "GRE with Ethernet", ip4(47), "00006558"),
		carriesFrame("gre", "GRE with checksum, key and sequence number", ip6(47), "b0006558 00000000 00abcd07 00000009"),
		carriesFrame("vxlan", "VXLAN", udp4(4789), "08000000 0abcde00"),
		carriesFrame("vxlan", "VXLAN over IPv6", udp6(4789), "08000000 0abcde00"),
		carriesFrame("geneve", "Geneve", udp4(6081), "00006558 0abcde00"),
		carriesFrame("geneve", "Geneve with options over IPv6", udp6(6081), "03006558 0abcde00 0102 80 02 1122334455667788"),
		carriesFrame("mpls", "MPLS pseudowire with control word", ether("8847"), "00064040 123451ff 00000000"),
		carriesFrame("mpls", "MPLS pseudowire without control word", ether("8847"), "00064040 123451ff"),
		carriesFrame("fabricpath", "FabricPath", ether("8903"), "0460"),
		carriesFrame("802.1ah", "802.1ah", func(b []byte) []byte { return ethernet("88a8 0064 88e7", b) }, "60654321"),
		carriesFrame("nsh", "NSH", ether("894f"), "0fc2 02 03 10203040"),
		carriesFrame("nsh", "NSH with context", ether("894f"), "0fc6 01 03 10203040 00000001 00000002 00000003 00000004"),
		carriesFrame("srv6", "SRv6 with Ethernet", ip6(43), "8f02 04 00 00 00 0000 20010db8000100000000000000000001"),
		carriesFrame("srv6", "SRv6 with Ethernet, two segments and a TLV", ip6(43), "8f05 04 01 01 00 0000 20010db8000100000000000000000001 20010db8000100000000000000000002 0406 000000000000"),
		carriesFrame("srv6", "Ethernet in IPv6", ip6(143), ""),
		carriesFrame("srv6", "Ethernet in IPv4", ip4(143), ""),
		{"VN-tag", func(f []byte) []byte { return inside(f, "8926 80050007") }, "vntag"},
		{"Arista, 64 bits", func(f []byte) []byte { return inside(f, "d28b 0001 0010 65920080 0012d687") }, "arista"},
		{"Arista, 48 bits", func(f []byte) []byte { return inside(f, "d28b 0001 0020 0080 0012d687") }, "arista"},
		packet("gre", "GRE with IP", func(p []byte, v6 bool) []byte {
			return ip4(47)(join(choose(v6, "000086dd", "00000800"), p))
		}),
		packet("gre", "GRE with IP over IPv6", func(p []byte, v6 bool) []byte {
			return ip6(47)(join(choose(v6, "200086dd 00abcd07", "20000800 00abcd07"), p))
		}),
		packet("ipip", "IP in IPv4", func(p []byte, v6 bool) []byte {
			if v6 {
				return ip4(41)(p)
			}
			return ip4(4)(p)
		}),
		packet("ipip", "IP in IPv6", func(p []byte, v6 bool) []byte {
			if v6 {
				return ip6(41)(p)
			}
			return ip6(4)(p)
		}),
		packet("mpls", "MPLS with IP", func(p []byte, _ bool) []byte { return ethernet("8847", join("00064040 123451ff", p)) }),
		packet("pppoe", "PPPoE", func(p []byte, v6 bool) []byte {
			b := append(join("11000042", nil), byte((len(p)+2)>>8), byte(len(p)+2))
			return ethernet("8864", append(b, join(choose(v6, "0057", "0021"), p)...))
		}),
	}
	return list
}

// Nested is a frame of an overlay, mirrored with a tag.
func Nested() Kind {
	return Kind{"ERSPAN III with a tag and VXLAN in it", func(f []byte) []byte {
		inner := ethernet("8100 6064 0800", ipv4(17, udp(4789, join("08000000 0abcde00", f))))
		return ethernet("0800", ipv4(47, join("100022eb 00000007 2000 6123 01020304 0009 815a", inner)))
	}, "erspan,vxlan"}
}

// ERSPAN3 mirrors a frame with a header of ERSPAN III, in hexadecimal.
func ERSPAN3(header string, frame []byte) []byte {
	return ethernet("0800", ipv4(47, join("100022eb 00000007"+header, frame)))
}

// Arista puts a header of Arista's, in hexadecimal from its EtherType on, after the
// addresses of a frame.
func Arista(header string, frame []byte) []byte { return inside(frame, header) }

// packet is a kind that carries the IP packet of a frame without what is under it.
func packet(decap, name string, around func(packet []byte, v6 bool) []byte) Kind {
	return Kind{name, func(f []byte) []byte {
		if len(f) < 34 {
			return f
		}
		switch p := f[14:]; binary.BigEndian.Uint16(f[12:]) {
		case 0x0800: // without the padding of a short frame
			return around(p[:min(len(p), int(binary.BigEndian.Uint16(p[2:])))], false)
		case 0x86dd:
			return around(p[:min(len(p), 40+int(binary.BigEndian.Uint16(p[4:])))], true)
		}
		return f
	}, decap}
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// bytesOf is the bytes of hexadecimal text.
func bytesOf(text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// join puts a header in front.
func join(header string, b []byte) []byte { return append(bytesOf(header), b...) }

// inside puts a header after the addresses of a frame.
func inside(f []byte, header string) []byte {
	if len(f) < 14 {
		return f
	}
	return append(append(append([]byte(nil), f[:12]...), bytesOf(header)...), f[12:]...)
}

func ethernet(etherType string, b []byte) []byte {
	return join("02aa00000001 02aa00000002"+etherType, b)
}

// ipv4 is a packet between addresses that no sample has.
func ipv4(protocol byte, b []byte) []byte {
	h := bytesOf("4500 0000 1234 4000 40 00 0000 cb007101 cb007102")
	binary.BigEndian.PutUint16(h[2:], uint16(len(h)+len(b)))
	h[9] = protocol
	sum := uint32(0)
	for i := 0; i < len(h); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(h[i:]))
	}
	sum = sum>>16 + sum&0xFFFF
	binary.BigEndian.PutUint16(h[10:], ^uint16(sum>>16+sum))
	return append(h, b...)
}

func ipv6(next byte, b []byte) []byte {
	h := bytesOf("60000000 0000 00 40 20010db800aa00000000000000000001 20010db800aa00000000000000000002")
	binary.BigEndian.PutUint16(h[4:], uint16(len(b)))
	h[6] = next
	return append(h, b...)
}

// udp has no checksum, as tunnels have it (RFC 6935).
func udp(port uint16, b []byte) []byte {
	h := bytesOf("c001 0000 0000 0000")
	binary.BigEndian.PutUint16(h[2:], port)
	binary.BigEndian.PutUint16(h[4:], uint16(len(h)+len(b)))
	return append(h, b...)
}
