package live

import (
	"fmt"

	"golang.org/x/net/bpf"
)

// A Filter says which frames are captured.
type Filter struct {
	// All captures everything.
	All bool
	// RoCEPort and IWARPPort are ports of RoCEv2 and iWARP beside 4791 and 20049, 0
	// for none.
	RoCEPort, IWARPPort uint16
}

// What may carry RDMA by its EtherType: RoCEv1, and what a frame or packet is wrapped
// in, which is passed whatever is inside.
var etherTypes = []uint32{
	0x8915, // RoCEv1
	0x8847, // MPLS
	0x8848, // MPLS, multicast
	0x8864, // PPPoE session
	0x88E7, // 802.1ah
	0x8903, // FabricPath
	0x8926, // VN-tag
	0x894F, // NSH
	0xD28B, // Arista's time stamps
}

// The same by the IP protocol.
var ipProtocols = []uint32{
	4,   // IPv4 in IP
	41,  // IPv6 in IP
	47,  // GRE, and ERSPAN in it
	137, // MPLS in IP
	143, // Ethernet in IP
}

// ipv6Extensions are hop-by-hop options, routing and destination options.
var ipv6Extensions = []uint32{0, 43, 60}

// The same by the UDP port that a packet is for.
var udpPorts = []uint32{
	4791, // RoCEv2
	4789, // VXLAN
	6081, // Geneve
}

// tagTypes announce a VLAN tag. The kernel takes off the outermost before the filter.
var tagTypes = []uint32{0x8100, 0x88A8, 0x9100}

const (
	addressSize    = 12 // bytes of both addresses, after which a tag or the EtherType is
	tagSize        = 4
	ethernetSize   = 14
	protoTCP       = 6
	protoUDP       = 17
	iwarpPort      = 20049
	filterTags     = 3          // how many tags the filter looks behind
	captured       = 0xFFFFFFFF // of a frame that is passed: all bytes
	ipv6Header     = 40
	fragmentBits   = 0x1FFF // of an IPv4 header: the fragment's offset
	protocolMemory = 0      // where the filter keeps the IP protocol
)

// instructions are those of the filter, for frames that begin with an Ethernet
// header; nil if it passes everything. Of what is wrapped in something else it looks at
// the wrapping only; of IPv6 extension headers it passes over one.
func (f Filter) instructions() []bpf.Instruction {
	if f.All {
		return nil
	}
	pass := bpf.RetConstant{Val: captured}
	reject := bpf.RetConstant{Val: 0}
	udp, tcp := udpPorts, []uint32{iwarpPort}
	if f.RoCEPort != 0 {
		udp = append(udp[:len(udp):len(udp)], uint32(f.RoCEPort))
	}
	if f.IWARPPort != 0 {
		tcp = append(tcp, uint32(f.IWARPPort))
	}
	// X is by how much tags put back what follows the addresses.
	p := program{bpf.LoadConstant{Dst: bpf.RegX}, loadX(addressSize, 2)}
	for range filterTags {
		behind := program{
			bpf.TXA{}, bpf.ALUOpConstant{Op: bpf.ALUOpAdd, Val: tagSize}, bpf.TAX{}, loadX(addressSize, 2),
		}
		p.whenAny(tagTypes, behind)
	}
	p.whenAny(etherTypes, program{pass})

	var ports program // X is where the UDP or TCP header is, less ethernetSize
	ports = append(ports, bpf.LoadScratch{Dst: bpf.RegA, N: protocolMemory})
	var byUDP, byTCP program
	byUDP = append(byUDP, loadX(ethernetSize+2, 2))
	byUDP.whenAny(udp, program{pass})
	byUDP = append(byUDP, reject)
	for _, at := range []uint32{ethernetSize, ethernetSize + 2} {
		byTCP = append(byTCP, loadX(at, 2))
		byTCP.whenAny(tcp, program{pass})
	}
	ports.when(protoUDP, byUDP)
	ports.when(protoTCP, byTCP)
	ports = append(ports, reject)

	v4 := program{loadX(ethernetSize+9, 1), bpf.StoreScratch{Src: bpf.RegA, N: protocolMemory}}
	v4.whenAny(ipProtocols, program{pass})
	v4 = append(v4,
		loadX(ethernetSize+6, 2), bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: fragmentBits, SkipTrue: 1}, reject,
		loadX(ethernetSize, 1),
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xF}, bpf.ALUOpConstant{Op: bpf.ALUOpShiftLeft, Val: 2}, // bytes of the header
		bpf.ALUOpX{Op: bpf.ALUOpAdd}, bpf.TAX{})
	v4 = append(v4, ports...)

	v6 := program{
		loadX(ethernetSize+6, 1), bpf.StoreScratch{Src: bpf.RegA, N: protocolMemory},
		bpf.TXA{}, bpf.ALUOpConstant{Op: bpf.ALUOpAdd, Val: ipv6Header}, bpf.TAX{},
		bpf.LoadScratch{Dst: bpf.RegA, N: protocolMemory},
	}
	v6.whenAny(ipv6Extensions, program{
		loadX(ethernetSize, 1), bpf.StoreScratch{Src: bpf.RegA, N: protocolMemory},
		loadX(ethernetSize+1, 1),
		bpf.ALUOpConstant{Op: bpf.ALUOpAdd, Val: 1}, bpf.ALUOpConstant{Op: bpf.ALUOpShiftLeft, Val: 3}, // bytes of the header
		bpf.ALUOpX{Op: bpf.ALUOpAdd}, bpf.TAX{},
		bpf.LoadScratch{Dst: bpf.RegA, N: protocolMemory},
	})
	v6.whenAny(ipProtocols, program{pass})
	v6 = append(v6, ports...)

	p.when(0x0800, v4)
	p.when(0x86DD, v6)
	return append(p, reject)
}

// assemble is the filter as the kernel takes it.
func (f Filter) assemble() ([]bpf.RawInstruction, error) {
	raw, err := bpf.Assemble(f.instructions())
	if err != nil {
		return nil, fmt.Errorf("the capture filter cannot be assembled: %w", err)
	}
	return raw, nil
}

// A program is part of a filter.
type program []bpf.Instruction

// when appends what is done if A is a value.
func (p *program) when(value uint32, do program) {
	*p = append(*p, bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipFalse: uint8(len(do))})
	*p = append(*p, do...)
}

// whenAny appends what is done if A is one of some values.
func (p *program) whenAny(values []uint32, do program) {
	for i, v := range values {
		test := bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: uint8(len(values) - 1 - i)}
		if i == len(values)-1 {
			test.SkipFalse = uint8(len(do))
		}
		*p = append(*p, test)
	}
	*p = append(*p, do...)
}

// loadX loads a number of bytes into A from where X and an offset point to.
func loadX(at uint32, size int) bpf.Instruction { return bpf.LoadIndirect{Off: at, Size: size} }
