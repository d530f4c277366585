package build

import "encoding/binary"

// A Layer is one part of a frame. Given twice, the later of two Ethernet,
// network, UDP, BTH, payload or trailer layers counts; VLAN tags and extended
// headers are put one behind the other.
type Layer interface{ addTo(*parts) }

// parts is a frame before it is written.
type parts struct {
	ether   Ethernet
	tags    []VLAN
	network network
	udp     UDP
	tcp     TCP
	bth     BTH
	ext     []byte
	payload []byte
	trailer []byte
	badICRC bool
}

// network is the header that the ICRC begins at.
type network interface {
	Layer
	etherType() uint16
	// append writes the header for n bytes after it; proto says what they are.
	append(b []byte, n int, proto uint8) []byte
}

// RoCE writes a frame. Without a network layer it is RoCEv2 over IPv4 from
// 192.0.2.2 to 192.0.2.1; with a GRH it is RoCEv1.
func RoCE(layers ...Layer) []byte {
	p := newParts(layers)
	frame, start := p.link()

	transport := p.transport()
	n := len(transport) + icrcLength
	if _, v1 := p.network.(GRH); v1 {
		frame = p.network.append(frame, n, nextHeaderIBA)
	} else {
		frame = p.network.append(frame, udpLength+n, protocolUDP)
		frame = p.udp.append(frame, n)
	}
	frame = append(frame, transport...)
	crc := ICRC(frame[start:])
	if p.badICRC {
		crc = ^crc
	}
	frame = binary.LittleEndian.AppendUint32(frame, crc)
	return append(frame, p.trailer...)
}

// newParts is a frame of these layers, with the defaults of those not given.
func newParts(layers []Layer) *parts {
	p := &parts{ether: Ethernet{Dst: ServerMAC, Src: ClientMAC}, network: IPv4{}, udp: UDP{SrcPort: 0xc000}}
	for _, l := range layers {
		l.addTo(p)
	}
	return p
}

// link writes the frame up to its network header, which begins at start.
func (p *parts) link() (frame []byte, start int) {
	frame = p.ether.append(nil)
	for _, tag := range p.tags {
		frame = tag.append(frame)
	}
	frame = binary.BigEndian.AppendUint16(frame, p.network.etherType())
	return frame, len(frame)
}

// Transport writes only what lies from the BTH to the end of the ICRC of the
// frame that RoCE makes of the same layers, without a trailer.
func Transport(layers ...Layer) []byte {
	var p parts
	for _, l := range layers {
		l.addTo(&p)
	}
	frame := RoCE(layers...)
	end := len(frame) - len(p.trailer)
	return frame[end-len(p.transport())-icrcLength : end]
}

// transport is the BTH, the extended headers, the payload and its pad.
func (p *parts) transport() []byte {
	pad := -len(p.payload) & 3
	b := p.bth.append(nil, pad)
	b = append(b, p.ext...)
	b = append(b, p.payload...)
	return append(b, make([]byte, pad)...)
}

// Payload is what the packet carries; RoCE pads it to four bytes.
type Payload []byte

// A Trailer is whatever stands after the ICRC: the pad of a short Ethernet
// frame, a switch's time stamp. No length field counts it.
type Trailer []byte

// BadICRC makes the ICRC wrong in every bit.
type BadICRC struct{}

func (l Payload) addTo(p *parts) { p.payload = l }
func (l Trailer) addTo(p *parts) { p.trailer = l }
func (BadICRC) addTo(p *parts)   { p.badICRC = true }
