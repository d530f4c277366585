package link

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// headersOf are the headers of a frame that was decoded.
func headersOf(p *Packet, t Type, data []byte, length int) *Headers {
	h := new(Headers)
	h.Find(p, t, data, length)
	return h
}

func nodesOf(p *Packet, t Type, data []byte, length int) []field.Node {
	return headersOf(p, t, data, length).Nodes()
}

// countFaults is the number of nodes with that fault, and all below them.
func countFaults(nodes []field.Node, reason string) int {
	n := 0
	for _, node := range nodes {
		if node.Fault == reason {
			n++
		}
		n += countFaults(node.Children, reason)
	}
	return n
}

// checkNodes fails the test if a node lies outside its parent's bytes, or
// before the node above it.
func checkNodes(t *testing.T, nodes []field.Node, start, end int) {
	t.Helper()
	at := start
	for _, n := range nodes {
		if n.Start < start || n.End < n.Start || n.End > end {
			t.Errorf("node %q is %d to %d, in %d to %d", n.Name, n.Start, n.End, start, end)
		}
		if n.Start < at {
			t.Errorf("node %q begins at %d, before %d", n.Name, n.Start, at)
		}
		at = n.Start
		checkNodes(t, n.Children, n.Start, n.End)
	}
}

// outline is a line for each header: its key, its bytes and its summary.
func outline(nodes []field.Node) string {
	var s strings.Builder
	for _, n := range nodes {
		s.WriteString(n.Key + " " + string(field.AppendHex(nil, uint64(n.Start), 2)) + "-" + string(field.AppendHex(nil, uint64(n.End), 2)))
		if n.Value != "" {
			s.WriteString(" " + n.Value)
		}
		s.WriteString("\n")
	}
	return s.String()
}

// TestNodesOutline compares the headers of a few vectors, in order.
func TestNodesOutline(t *testing.T) {
	wants := map[string]string{
		"service tag and customer tag": "" +
			"eth 0x00-0x0e 52:54:00:00:00:01 → 52:54:00:00:00:02\n" +
			"vlan 0x0e-0x12 VID 100, PCP 0\n" +
			"vlan 0x12-0x16 VID 10, PCP 3\n" +
			"ipv6 0x16-0x3e 2001:db8::1 → 2001:db8::2\n" +
			"udp 0x3e-0x46 49152 → 4791\n",
		"SLL": "" +
			"sll 0x00-0x10 sent by this host\n" +
			"ip 0x10-0x24 192.0.2.1 → 192.0.2.2\n" +
			"udp 0x24-0x2c 41649 → 4791\n",
		"SLL2 with a tag": "" +
			"sll2 0x00-0x14 to this host\n" +
			"vlan 0x14-0x18 VID 10, PCP 3\n" +
			"ip 0x18-0x2c 192.0.2.1 → 192.0.2.2\n" +
			"udp 0x2c-0x34 41649 → 4791\n",
		"IPv4 options": "" +
			"ip 0x00-0x14 192.0.2.1 → 192.0.2.2\n" +
			"ip.options 0x14-0x1c\n" +
			"udp 0x1c-0x24 41649 → 4791\n",
		"IPv6 hop-by-hop, destination, routing, atomic fragment": "" +
			"ipv6 0x00-0x28 2001:db8::1 → 2001:db8::2\n" +
			"ipv6.hopopts 0x28-0x30\n" +
			"ipv6.dstopts 0x30-0x40\n" +
			"ipv6.routing 0x40-0x48\n" +
			"ipv6.fraghdr 0x48-0x50\n" +
			"udp 0x50-0x58 49152 → 4791\n",
		"InfiniBand with GRH": "" +
			"lrh 0x00-0x08 LID 0x0034 → LID 0x0012\n" +
			"grh 0x08-0x30 fe80::1 → fe80::2\n",
		"ERF InfiniBand with two extensions": "" +
			"erf 0x00-0x10 INFINIBAND\n" +
			"erf.ehdr 0x10-0x18 CLASSIFICATION\n" +
			"erf.ehdr 0x18-0x20 RAW_LINK\n" +
			"lrh 0x20-0x28 LID 0x0034 → LID 0x0012\n",
		"ERF Ethernet": "" +
			"erf 0x00-0x10 ETH\n" +
			"erf.eth 0x10-0x12\n" +
			"eth 0x12-0x20 52:54:00:00:00:01 → 52:54:00:00:00:02\n" +
			"ip 0x20-0x34 192.0.2.1 → 192.0.2.2\n" +
			"udp 0x34-0x3c 41649 → 4791\n",
		"TCP": "" +
			"eth 0x00-0x0e 52:54:00:00:00:02 → 52:54:00:00:00:01\n" +
			"ip 0x0e-0x22 192.0.2.2 → 192.0.2.1\n" +
			"tcp 0x22-0x36 37054 → 2049\n" +
			"tcp.options 0x36-0x4a\n",
		"loopback, little-endian host": "" +
			"null 0x00-0x04\n" +
			"ip 0x04-0x18 192.0.2.1 → 192.0.2.2\n" +
			"udp 0x18-0x20 41649 → 4791\n",
	}
	var p Packet
	for _, v := range vectors() {
		want, ok := wants[v.name]
		if !ok {
			continue
		}
		delete(wants, v.name)
		p.Decode(v.link, v.data, len(v.data), Options{})
		if got := outline(nodesOf(&p, v.link, v.data, len(v.data))); got != want {
			t.Errorf("%s:\n got\n%s\nwant\n%s", v.name, got, want)
		}
	}
	for name := range wants {
		t.Errorf("there is no vector %q", name)
	}
}

// TestNodesFields looks at values that a person reads, one by one.
func TestNodesFields(t *testing.T) {
	wants := map[string]map[string]string{
		"Ethernet IPv4 RoCEv2":       {"eth.type": "IPv4 (0x0800)", "ip.proto": "UDP (17)", "ip.ecn": "Not-ECT (0)", "ip.id": "0xd896", "udp.dstport": "RoCEv2 (4791)", "ip.df": "1"},
		"Ethernet IPv6 RoCEv2":       {"ipv6.ecn": "ECT(0) (2)", "ipv6.flow": "0x12345", "ipv6.src": "2001:db8::1"},
		"InfiniBand with GRH":        {"lrh.lnh": "GRH (3)", "lrh.vl": "7", "lrh.pktlen": "17", "grh.nxthdr": "IBA transport (0x1b)", "grh.dgid": "fe80::2"},
		"ERF InfiniBand":             {"erf.type": "INFINIBAND (21)", "erf.wlen": "30"},
		"one tag":                    {"vlan.priority": "3", "vlan.id": "10", "vlan.etype": "IPv4 (0x0800)"},
		"802.3 length":               {"eth.type": "802.3 length (0x0026)"},
		"EtherType without a name":   {"eth.type": "0x88b5"},
		"IP protocol without a name": {"ip.proto": "253"},
	}
	var p Packet
	for _, v := range vectors() {
		want := wants[v.name]
		p.Decode(v.link, v.data, len(v.data), Options{})
		for _, n := range nodesOf(&p, v.link, v.data, len(v.data)) {
			for _, c := range n.Children {
				if text, ok := want[c.Key]; ok && c.Value != text {
					t.Errorf("%s: %s is %q, want %q", v.name, c.Key, c.Value, text)
				}
				delete(want, c.Key)
			}
		}
		for key := range want {
			t.Errorf("%s: no field %s", v.name, key)
		}
	}
}

// TestNodesCut builds the trees of every vector cut at every byte: no node
// leaves the captured bytes, and a fault shows exactly once.
func TestNodesCut(t *testing.T) {
	var p Packet
	for _, v := range vectors() {
		for n := range len(v.data) + 1 {
			p.Decode(v.link, v.data[:n], len(v.data), Options{})
			nodes := nodesOf(&p, v.link, v.data[:n], len(v.data))
			checkNodes(t, nodes, 0, n)
			if p.Faulty() && countFaults(nodes, p.Fault().Reason) != 1 {
				t.Errorf("%s cut at %d: fault %q is on %d nodes", v.name, n, p.Fault(), countFaults(nodes, p.Fault().Reason))
			}
		}
	}
}
