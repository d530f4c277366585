package build

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// gopacket, which knows nothing of this package, must find every header below
// the transport where it should be, and the lengths and checksums consistent.
func TestGopacketReadsTheLinkAndNetwork(t *testing.T) {
	transport := []Layer{BTH{OpCode: RCSendOnly, DestQP: 7}, Payload("seven!!")}
	const size = 12 + 8 + 4 // BTH, padded payload, ICRC
	for _, test := range []struct {
		name    string
		layers  []Layer
		tags    []uint16
		version uint8
	}{
		{"IPv4", []Layer{IPv4{TOS: 0x68, ID: 0x1234, TTL: 3}}, nil, 4},
		{"IPv4 with options", []Layer{IPv4{Options: []byte{1, 1, 1, 0}}}, nil, 4},
		{"IPv4 behind a tag", []Layer{VLAN{ID: 7}}, []uint16{7}, 4},
		{"IPv6", []Layer{IPv6{TrafficClass: 2, FlowLabel: 0xfffff}}, nil, 6},
		{"IPv6 behind two tags", []Layer{VLAN{TPID: 0x88a8, ID: 4095}, VLAN{ID: 2, PCP: 5}, IPv6{}}, []uint16{4095, 2}, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := gopacket.NewPacket(RoCE(append(test.layers, transport...)...), layers.LayerTypeEthernet, gopacket.Default)
			if fault := p.ErrorLayer(); fault != nil {
				t.Fatal(fault.Error())
			}
			var tags []uint16
			for _, l := range p.Layers() {
				if tag, ok := l.(*layers.Dot1Q); ok {
					tags = append(tags, tag.VLANIdentifier)
				}
			}
			if len(tags) != len(test.tags) || len(tags) > 0 && tags[0] != test.tags[0] {
				t.Errorf("tags %v, want %v", tags, test.tags)
			}
			switch test.version {
			case 4:
				ip := p.NetworkLayer().(*layers.IPv4)
				if int(ip.Length) != len(ip.Contents)+8+size || ip.Flags != layers.IPv4DontFragment {
					t.Errorf("IPv4 %+v: want %d bytes behind it", ip, 8+size)
				}
				if ip.SrcIP.String() != ClientIPv4.String() || ip.DstIP.String() != ServerIPv4.String() {
					t.Errorf("from %v to %v", ip.SrcIP, ip.DstIP)
				}
				if sum := checksum(ip.Contents); sum != 0 {
					t.Errorf("the header's checksum leaves %#04x", sum)
				}
			case 6:
				ip := p.NetworkLayer().(*layers.IPv6)
				if int(ip.Length) != 8+size || ip.HopLimit != 64 {
					t.Errorf("IPv6 %+v: want %d bytes behind it", ip, 8+size)
				}
				if ip.SrcIP.String() != ClientIPv6.String() || ip.DstIP.String() != ServerIPv6.String() {
					t.Errorf("from %v to %v", ip.SrcIP, ip.DstIP)
				}
			}
			udp := p.TransportLayer().(*layers.UDP)
			if udp.DstPort != 4791 || int(udp.Length) != 8+size || len(udp.Payload) != size {
				t.Errorf("UDP %+v with %d bytes, want %d", udp, len(udp.Payload), size)
			}
		})
	}
}

func TestRoCEv1(t *testing.T) {
	frame := RoCE(VLAN{ID: 1}, GRH{SGID: ClientIPv4, DGID: ServerIPv6, TClass: 0xab, FlowLabel: 0xcdef0}, BTH{OpCode: RCAcknowledge}, AETH{})
	same(t, "EtherType and GRH", frame[12+4:12+4+2+40], check.Hex(t, `8915
		6abcdef0 0014 1b 40 00000000000000000000ffffc0000202 20010db8000000000000000000000001`))
	if want := 12 + 4 + 2 + 40 + 12 + 4 + 4; len(frame) != want {
		t.Errorf("%d bytes, want %d", len(frame), want)
	}
}
