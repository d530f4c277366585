package link

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// TestTables checks that every table says what it must, without overlap, and
// that the sizes that Decode counts with are those of the tables.
func TestTables(t *testing.T) {
	sizes := map[string]int{
		"eth": ethernetSize, "vlan": vlanSize, "sll": sllSize, "sll2": sll2Size, "null": nullSize,
		"erf": erfSize, "erf.ehdr": erfExtensionSize, "erf.eth": erfEthernetSize,
		"ip": ipv4Size, "ip.options": 0, "ipv6": ipv6Size, "udp": udpSize, "tcp": tcpSize, "tcp.options": 0,
		"tcp.options.eol": 1, "tcp.options.nop": 1, "tcp.options.mss": 4, "tcp.options.wscale": 3, "tcp.options.sack_perm": 2,
		"tcp.options.sack": 2, "tcp.options.sack.block": 8, "tcp.options.timestamp": 10, "tcp.options.unknown": 2,
		"ipv6.hopopts": 2, "ipv6.dstopts": 2, "ipv6.routing": 4, "ipv6.fraghdr": extensionSize,
		"lrh": lrhSize, "grh": grhSize,
		"gre": greSize, "gre.csum": greFieldSize, "gre.key": greFieldSize, "gre.seq": greFieldSize,
		"erspan": erspanSize, "erspan.ii": erspan2Size, "erspan.iii": erspan3Size, "erspan.platform": erspanPlatformSize,
		"vxlan": vxlanSize, "geneve": geneveSize, "geneve.options": 0, "mpls": labelSize, "pwcw": controlWordSize,
		"pppoe": pppoeSize, "ppp": pppSize, "cfp": fabricPathSize, "vntag": vnTagSize, "ieee8021ah": pbbSize,
		"arista": aristaSize, "arista.time64": aristaTime64Size, "arista.time48": aristaTime48Size,
		"nsh": nshSize, "nsh.context": 0,
	}
	for _, table := range Tables() {
		if table.Name == "" || table.Title == "" || table.Ref == "" {
			t.Errorf("table %q lacks a name, a title or a reference", table.Key)
		}
		size, ok := sizes[table.Key]
		if !ok || table.Size() != size {
			t.Errorf("table %q spans %d bytes, want %d (known: %v)", table.Key, table.Size(), size, ok)
		}
		delete(sizes, table.Key) // a key that comes twice is not found again
		bit := 0
		keys := map[string]bool{}
		for _, f := range table.Fields {
			if f.Bit != bit {
				t.Errorf("%s.%s begins at bit %d, the field before it ends at %d", table.Key, f.Key, f.Bit, bit)
			}
			bit = f.Bit + f.Width
			if f.Name == "" || f.Doc == "" || keys[f.Key] {
				t.Errorf("%s.%s lacks a name or an explanation, or comes twice", table.Key, f.Key)
			}
			keys[f.Key] = true
		}
	}
	for key := range sizes {
		t.Errorf("there is no table %q", key)
	}
}

// TestDecodeAgreesWithTables fills headers with random bytes, leaves the few
// that lead to the next header as they must be, and compares what Decode gives
// with what the tables read.
func TestDecodeAgreesWithTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	u := func(table *field.Table, key string, h []byte) int { return int(table.Lookup(key).Uint(h)) }
	text := func(table *field.Table, key string, h []byte) string {
		return string(table.Lookup(key).AppendValue(nil, h))
	}
	lid := func(key string, h []byte) string { return "LID " + text(&lrhTable, key, h) }
	for range 2000 {
		// The wire is long enough for every length that comes up.
		const wire = 1 << 17
		var p Packet

		h := random(ipv4Size + udpSize)
		h[0], h[6], h[7], h[9], h[22], h[23] = 0x45, h[6]&0xC0, 0, protoUDP, 0x12, 0xB7
		p.Decode(TypeIPv4, h, wire, Options{})
		udp := h[ipv4Size:]
		end := min(u(&ipv4Table, "len", h), ipv4Size+u(&udpTable, "length", udp))
		if u(&ipv4Table, "len", h) < ipv4Size+udpSize {
			continue // faults have their own test
		}
		same(t, "IPv4, UDP", find(&p), found{
			transport: RoCEv2, src: text(&ipv4Table, "src", h), dst: text(&ipv4Table, "dst", h),
			srcPort: uint16(u(&udpTable, "srcport", udp)), dstPort: uint16(u(&udpTable, "dstport", udp)),
			grh: -1, start: 28, end: max(28, end), ipid: uint16(u(&ipv4Table, "id", h)), ecn: uint8(u(&ipv4Table, "ecn", h)),
		})

		h = random(ipv6Size + tcpSize)
		h[0], h[6], h[52] = 0x60|h[0]&15, protoTCP, 0x50
		p.Decode(TypeIPv6, h, wire, Options{})
		if n := u(&ipv6Table, "plen", h); n >= tcpSize {
			tcp := h[ipv6Size:]
			same(t, "IPv6, TCP", find(&p), found{
				transport: TCP, src: text(&ipv6Table, "src", h), dst: text(&ipv6Table, "dst", h),
				srcPort: uint16(u(&tcpTable, "srcport", tcp)), dstPort: uint16(u(&tcpTable, "dstport", tcp)),
				grh: -1, start: 40, end: 40 + n, ecn: uint8(u(&ipv6Table, "ecn", h)), protocol: "TCP",
			})
		}

		h = random(lrhSize)
		h[0] &^= 15
		h[1] = h[1]&^3 | 2
		p.Decode(TypeInfiniBand, h, wire, Options{})
		same(t, "LRH", find(&p), found{transport: InfiniBand, src: lid("slid", h), dst: lid("dlid", h),
			grh: -1, start: 8, end: max(8, 4*u(&lrhTable, "pktlen", h))})

		h = append(hexBytes(macs, "8915"), random(grhSize)...)
		g := h[ethernetSize:]
		g[0], g[6] = 0x60|g[0]&15, nextIBA
		p.Decode(TypeEthernet, h, wire, Options{})
		same(t, "GRH", find(&p), found{transport: RoCEv1, src: text(&grhTable, "sgid", g), dst: text(&grhTable, "dgid", g),
			network: 14, grh: 14, start: 54, end: 54 + u(&grhTable, "paylen", g), ecn: uint8(u(&grhTable, "tclass", g) & 3)})
	}
}

// same compares two finds but for their faults.
func same(t *testing.T, what string, got, want found) {
	t.Helper()
	if got.fault = ""; got != want {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
