package live

import (
	"encoding/binary"
	"path/filepath"
	"testing"

	"golang.org/x/net/bpf"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/iwarp"
)

// passes runs a filter over a frame.
func passes(t *testing.T, vm *bpf.VM, frame []byte) bool {
	t.Helper()
	n, err := vm.Run(frame)
	if err != nil {
		t.Fatal(err)
	}
	return n > 0
}

func machine(t *testing.T, f Filter) *bpf.VM {
	t.Helper()
	vm, err := bpf.NewVM(f.instructions())
	if err != nil {
		t.Fatal(err)
	}
	return vm
}

// frameOf is an Ethernet frame with some tags and an EtherType.
func frameOf(tags int, etherType uint16, payload ...byte) []byte {
	b := make([]byte, addressSize)
	for range tags {
		b = append(b, 0x81, 0x00, 0x00, 0x07)
	}
	return append(binary.BigEndian.AppendUint16(b, etherType), payload...)
}

// ipv4 and ipv6 are packets; options are words of IPv4 options.
func ipv4(protocol byte, options int, fragment uint16, payload ...byte) []byte {
	b := make([]byte, 20+4*options)
	b[0], b[9] = 0x45+byte(options), protocol
	binary.BigEndian.PutUint16(b[6:], fragment)
	return append(b, payload...)
}

func ipv6(next byte, payload ...byte) []byte {
	b := make([]byte, 40)
	b[0], b[6] = 0x60, next
	return append(b, payload...)
}

func ports(src, dst uint16) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(src)<<16|uint32(dst))
}

func TestFilter(t *testing.T) {
	const roce, iwarpTo, plain = 4791, 20049, 2049
	vm := machine(t, Filter{RoCEPort: 4700, IWARPPort: 5000})
	for _, test := range []struct {
		name  string
		frame []byte
		want  bool
	}{
		{"RoCEv1", frameOf(0, 0x8915), true},
		{"MPLS", frameOf(0, 0x8847), true},
		{"Arista", frameOf(0, 0xD28B), true},
		{"ARP", frameOf(0, 0x0806), false},
		{"LLC", frameOf(0, 0x0040), false},
		{"RoCEv2", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(50000, roce)...)...), true},
		{"RoCEv2 behind IPv4 options", frameOf(0, 0x0800, ipv4(17, 3, 0, ports(50000, roce)...)...), true},
		{"RoCEv2, do not fragment", frameOf(0, 0x0800, ipv4(17, 0, 0x4000, ports(50000, roce)...)...), true},
		{"RoCEv2 on another port", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(50000, 4700)...)...), true},
		{"RoCEv2 by its source port only", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(roce, 53)...)...), false},
		{"VXLAN", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(50000, 4789)...)...), true},
		{"Geneve", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(50000, 6081)...)...), true},
		{"DNS", frameOf(0, 0x0800, ipv4(17, 0, 0, ports(50000, 53)...)...), false},
		{"a later fragment", frameOf(0, 0x0800, ipv4(17, 0, 3, ports(50000, roce)...)...), false},
		{"iWARP, to the server", frameOf(0, 0x0800, ipv4(6, 0, 0, ports(700, iwarpTo)...)...), true},
		{"iWARP, to the client", frameOf(0, 0x0800, ipv4(6, 0, 0, ports(iwarpTo, 700)...)...), true},
		{"iWARP on another port", frameOf(0, 0x0800, ipv4(6, 0, 0, ports(700, 5000)...)...), true},
		{"NFS over TCP", frameOf(0, 0x0800, ipv4(6, 0, 0, ports(700, plain)...)...), false},
		{"TCP to 4791", frameOf(0, 0x0800, ipv4(6, 0, 0, ports(700, roce)...)...), false},
		{"GRE", frameOf(0, 0x0800, ipv4(47, 0, 0)...), true},
		{"IP in IP", frameOf(0, 0x0800, ipv4(4, 0, 0)...), true},
		{"ICMP", frameOf(0, 0x0800, ipv4(1, 0, 0)...), false},
		{"RoCEv2 over IPv6", frameOf(0, 0x86DD, ipv6(17, ports(50000, roce)...)...), true},
		{"DNS over IPv6", frameOf(0, 0x86DD, ipv6(17, ports(50000, 53)...)...), false},
		{"iWARP over IPv6", frameOf(0, 0x86DD, ipv6(6, ports(700, iwarpTo)...)...), true},
		{"GRE over IPv6", frameOf(0, 0x86DD, ipv6(47)...), true},
		{"Ethernet behind an IPv6 routing header", frameOf(0, 0x86DD, ipv6(43, []byte{143, 2, 23: 0}...)...), true},
		{"RoCEv2 behind IPv6 options", frameOf(0, 0x86DD, ipv6(0, append([]byte{17, 1, 15: 0}, ports(50000, roce)...)...)...), true},
		{"MLD behind IPv6 options", frameOf(0, 0x86DD, ipv6(0, []byte{58, 0, 7: 0}...)...), false},
		{"ICMPv6", frameOf(0, 0x86DD, ipv6(58, 1)...), false},
		{"RoCEv2 behind a second tag", frameOf(1, 0x0800, ipv4(17, 0, 0, ports(50000, roce)...)...), true},
		{"iWARP behind three more", frameOf(3, 0x86DD, ipv6(6, ports(700, iwarpTo)...)...), true},
		{"DNS behind a tag", frameOf(1, 0x0800, ipv4(17, 0, 0, ports(50000, 53)...)...), false},
		{"cut", frameOf(0, 0x0800, 0x45), false},
	} {
		if got := passes(t, vm, test.frame); got != test.want {
			t.Errorf("%s: passes %v", test.name, got)
		}
	}
	if list := (Filter{All: true}).instructions(); list != nil {
		t.Errorf("the filter that passes everything has %d instructions", len(list))
	}
	if raw, err := (Filter{}).assemble(); err != nil || len(raw) > 4096 {
		t.Errorf("%d instructions, %v: the kernel takes 4096", len(raw), err)
	}
}

// TestFilterOfSamples passes exactly what the samples have of RDMA.
func TestFilterOfSamples(t *testing.T) {
	paths, err := filepath.Glob("../../samples/*.pcap.zst")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	vm := machine(t, Filter{})
	for _, path := range paths {
		file, err := capture.Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		var (
			f capture.Frame
			p link.Packet
		)
		for file.Next(&f) == nil {
			p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
			want := p.Transport != link.NotRDMA
			if p.Transport == link.TCP {
				want = iwarp.IsPort(p.SrcPort, 0) || iwarp.IsPort(p.DstPort, 0)
			}
			if got := passes(t, vm, f.Data); got != want {
				t.Fatalf("%s, frame %d, %v: passes %v", path, f.Number, p.Transport, got)
			}
		}
		file.Close()
	}
}
