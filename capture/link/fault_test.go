package link

import (
	"strings"
	"testing"
)

// TestFaults decodes frames with one thing wrong each. transport, start and end
// tell what is still given.
func TestFaults(t *testing.T) {
	const (
		v4   = "c0000201c0000202" // two IPv4 addresses
		v6   = "20010db8000000000000000000000001 20010db8000000000000000000000002"
		body = "1100ffff00000011002238991f000001bf36e8af" // an RC Acknowledge, 20 bytes
		tcp  = "90be08017cc78c0300000000a002faf0db480000 020405b40402080a56a6f5910000000001030307"
		erf  = "0011223344556677"
	)
	tests := []struct {
		name       string
		link       Type
		data       []byte
		fault      string
		transport  Transport
		start, end int
	}{
		{"IPv4 of version 5", TypeIPv4, hexBytes("55000030d89640004011de22", v4, realUDP, body), "IPv4 version is not 4 at byte 0", NotRDMA, 0, 0},
		{"raw IP of version 5", TypeRaw, hexBytes("55000030d89640004011de22", v4, realUDP, body), "IP version is neither 4 nor 6 at byte 0", NotRDMA, 0, 0},
		{"IHL 4", TypeIPv4, hexBytes("44000030d89640004011de22", v4, realUDP, body), "IPv4 IHL is less than 5 at byte 0", NotRDMA, 0, 0},
		{"total length less than the header", TypeIPv4, hexBytes("45000013d89640004011de22", v4, realUDP, body), "IPv4 total length is less than its header at byte 2", NotRDMA, 0, 0},
		{"total length 0 with UDP", TypeIPv4, hexBytes("45000000d89640004011de22", v4, realUDP, body), "IPv4 total length is 0 at byte 2", RoCEv2, 28, 48},
		{"no room for the UDP header", TypeIPv4, hexBytes("45000018d89640004011de22", v4, realUDP, body), "UDP header runs past the IP packet at byte 20", NotRDMA, 0, 0},
		{"UDP length 0", TypeIPv4, hexBytes("45000030d89640004011de22", v4, "a2b112b700000000", body), "UDP length is 0 at byte 24", RoCEv2, 28, 28},
		{"UDP length 7", TypeIPv4, hexBytes("45000030d89640004011de22", v4, "a2b112b700070000", body), "UDP length is less than its header at byte 24", RoCEv2, 28, 28},
		{"UDP length past the IP packet", TypeEthernet, hexBytes(macs, "0800 45000030d89640004011de22", v4, "a2b112b7001d0000", body, "ee"), "UDP length runs past the IP packet at byte 38", RoCEv2, 42, 62},
		{"UDP length before the end of the IP packet", TypeEthernet, hexBytes(macs, "0800 45000030d89640004011de22", v4, "a2b112b7001b0000", body), "UDP length ends before the IP packet at byte 38", RoCEv2, 42, 61},
		{"no room for the TCP header", TypeIPv4, hexBytes("4500001cc90440004006edb3", v4, tcp), "TCP header runs past the IP packet at byte 20", NotRDMA, 0, 0},
		{"TCP data offset 4", TypeIPv4, hexBytes("4500003cc90440004006edb3", v4, "90be08017cc78c03000000004002faf0db480000", strings.Repeat("00", 20)), "TCP data offset is less than 5 at byte 32", TCP, 20, 60},
		{"TCP data offset past the segment", TypeIPv4, hexBytes("45000038c90440004006edb3", v4, tcp), "TCP data offset runs past the IP packet at byte 32", TCP, 20, 56},

		{"IPv6 of version 4", TypeIPv6, hexBytes("40212345001c1140", v6, realUDP, body), "IPv6 version is not 6 at byte 0", NotRDMA, 0, 0},
		{"jumbo UDP", TypeIPv6, hexBytes("6021234500001140", v6, "a2b112b700000000", body), "IPv6 payload length is 0 at byte 4", RoCEv2, 48, 48},
		{"extension header past the packet", TypeIPv6, hexBytes("60212345001c0040", v6, "1104010400000000", body), "IPv6 extension header runs past the IP packet at byte 40", NotRDMA, 0, 0},
		{"nine extension headers", TypeIPv6, hexBytes("6021234500640040", v6, "3c00010400000000", strings.Repeat("3c00010400000000", 7), "1100010400000000", realUDP, body),
			"more than 8 IPv6 extension headers at byte 104", NotRDMA, 0, 0},
		{"nine tags", TypeEthernet, hexBytes(macs, strings.Repeat("8100 0001 ", 9), "0800", realIPv4, realUDP, body), "more than 8 VLAN tags at byte 44", NotRDMA, 0, 0},

		{"GRH of version 4", TypeEthernet, hexBytes(macs, "8915 40200000 0014 1b 40", gids, body), "GRH IPVer is not 6 at byte 14", NotRDMA, 0, 0},
		{"GRH with UDP", TypeEthernet, hexBytes(macs, "8915 60200000 0014 11 40", gids, body), "GRH NxtHdr is not 0x1b at byte 20", NotRDMA, 0, 0},
		{"LVer 1", TypeInfiniBand, hexBytes("01020012 00070034", body), "LRH LVer is not 0 at byte 0", InfiniBand, 8, 28},
		{"PktLen past the frame", TypeInfiniBand, hexBytes("00020012 00090034", body), "LRH PktLen runs past the frame at byte 4", InfiniBand, 8, 36},
		{"PktLen 1", TypeInfiniBand, hexBytes("00020012 00010034", body), "LRH PktLen is less than its headers at byte 4", InfiniBand, 8, 8},
		{"PayLen and PktLen disagree", TypeInfiniBand, hexBytes("00030012 00110034 60200000 0010 1b 40", gids, body), "GRH PayLen and LRH PktLen disagree at byte 12", InfiniBand, 48, 64},

		{"nine ERF extensions", TypeERF, hexBytes(erf, "95 04 0000 0000 0000", strings.Repeat("8300000000000000", 8), "0300000000000000"),
			"more than 8 ERF extension headers at byte 80", NotRDMA, 0, 0},
		{"ERF InfiniBand that is neither LRH nor Ethernet", TypeERF, hexBytes(erf, "15 04 002c 0000 001c", "0f020012 00070034", body), "LRH LVer is not 0 at byte 16", InfiniBand, 24, 44},
	}
	var p Packet
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p.Decode(tt.link, tt.data, len(tt.data), Options{})
			if got := p.Fault().String(); got != tt.fault {
				t.Errorf("fault %q, want %q", got, tt.fault)
			}
			if p.Transport != tt.transport || p.Start() != tt.start || p.End() != tt.end {
				t.Errorf("%v from %d to %d, want %v from %d to %d", p.Transport, p.Start(), p.End(), tt.transport, tt.start, tt.end)
			}
			if p.Transport == NotRDMA && p.Protocol() == "" {
				t.Error("no name for a frame that is not RDMA")
			}
			// The fault shows in the tree, once, and on a node that has its byte
			// or is the last there is.
			if n := countFaults(nodesOf(&p, tt.link, tt.data, len(tt.data)), p.Fault().Reason); n != 1 {
				t.Errorf("%d nodes have the fault", n)
			}
		})
	}
}

// TestBeyond decodes packets that end after the frame, by the lengths in their headers.
// Where the record has no other length than that of what was captured, the frame was cut
// before it was captured; where it has, and the snap length cut the frame, that is a fault.
func TestBeyond(t *testing.T) {
	const (
		v4   = "c0000201c0000202"
		v6   = "20010db8000000000000000000000001 20010db8000000000000000000000002"
		body = "1100ffff00000011002238991f000001bf36e8af"
	)
	for _, tt := range []struct {
		name       string
		link       Type
		data       []byte
		fault      string
		transport  Transport
		start, end int
	}{
		{"IPv4", TypeIPv4, hexBytes("45000033d89640004011de22", v4, "a2b112b7001f0000", body), "IPv4 total length runs past the frame at byte 2", RoCEv2, 28, 51},
		{"IPv6", TypeIPv6, hexBytes("60212345001f1140", v6, "a2b112b7001f0000", body), "IPv6 payload length runs past the frame at byte 4", RoCEv2, 48, 71},
		{"GRH", TypeEthernet, hexBytes(macs, "8915 60200000 0018 1b 40", gids, body), "GRH PayLen runs past the frame at byte 18", RoCEv1, 54, 78},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p Packet
			for _, length := range []int{len(tt.data), len(tt.data) + 1} {
				p.Decode(tt.link, tt.data, length, Options{})
				fault := ""
				if length > len(tt.data) {
					fault = tt.fault
				}
				if got := p.Fault().String(); got != fault || p.Cut() != (fault == "") {
					t.Errorf("%d bytes: fault %q, want %q; cut: %v", length, got, fault, p.Cut())
				}
				if p.Transport != tt.transport || p.Start() != tt.start || p.End() != tt.end {
					t.Errorf("%v from %d to %d, want %v from %d to %d", p.Transport, p.Start(), p.End(), tt.transport, tt.start, tt.end)
				}
				if n := countFaults(nodesOf(&p, tt.link, tt.data, length), p.Fault().Reason); fault != "" && n != 1 {
					t.Errorf("%d nodes have the fault", n)
				}
			}
		})
	}
}

// TestRoCEPort decides by the destination port alone.
func TestRoCEPort(t *testing.T) {
	frame := func(src, dst string) []byte { return hexBytes(macs, "0800", realIPv4, src, dst, "001c0000", realBTH) }
	tests := []struct {
		name     string
		src, dst string
		roce     uint16
		want     Transport
	}{
		{"4791", "0045", "12b7", 0, RoCEv2},
		{"4791 beside another", "0045", "12b7", 4792, RoCEv2},
		{"another", "0045", "12b8", 4792, RoCEv2},
		{"another, not asked for", "0045", "12b8", 0, NotRDMA},
		{"from 4791", "12b7", "12b8", 0, NotRDMA},
		{"port 0 is none", "0045", "0000", 0, NotRDMA},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := frame(tt.src, tt.dst)
			var p Packet
			if p.Decode(TypeEthernet, data, len(data), Options{RoCEPort: tt.roce}); p.Transport != tt.want {
				t.Errorf("the straight-line route gives %v, want %v", p.Transport, tt.want)
			}
			if p.decodeAny(TypeEthernet, data, len(data), Options{RoCEPort: tt.roce}, maxTunnels, nil); p.Transport != tt.want {
				t.Errorf("the general route gives %v, want %v", p.Transport, tt.want)
			}
		})
	}
}
