package build

import "encoding/binary"

const protocolTCP = 6

// The control bits of a TCP header (RFC 9293, section 3.1).
const (
	FIN = 0x01
	SYN = 0x02
	RST = 0x04
	PSH = 0x08
	ACK = 0x10
)

// TCP is the header after IP as a layer of TCPFrame, 20 bytes and options.
type TCP struct {
	SrcPort, DstPort uint16
	Seq, Ack         uint32
	Flags            uint8
	Window           uint16
	Options          []byte // a multiple of four bytes
}

func (l TCP) addTo(p *parts) { p.tcp = l }

// TCPFrame writes a frame with TCP in place of UDP and RoCE: TCP's layer and a
// Payload, which gets no pad.
func TCPFrame(layers ...Layer) []byte {
	p := newParts(layers)
	frame, start := p.link()
	header := p.tcp.append(nil)
	frame = p.network.append(frame, len(header)+len(p.payload), protocolTCP)
	addresses := frame[start+12:] // IPv4 and IPv6 both end with them
	if _, v4 := p.network.(IPv4); v4 {
		addresses = addresses[:8]
	} else {
		addresses = frame[start+8:]
	}
	segment := append(header, p.payload...)
	binary.BigEndian.PutUint16(segment[16:], tcpChecksum(addresses, segment))
	return append(append(frame, segment...), p.trailer...)
}

// append writes the header with a checksum of 0.
func (l TCP) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, l.SrcPort)
	b = binary.BigEndian.AppendUint16(b, l.DstPort)
	b = appendWords(b, l.Seq, l.Ack)
	b = append(b, byte(20+len(l.Options))/4<<4, l.Flags)
	b = binary.BigEndian.AppendUint16(b, l.Window)
	return append(append(b, 0, 0, 0, 0), l.Options...)
}

// tcpChecksum counts a pseudo header of both addresses, the protocol and the
// length, which sums up the same for IPv4 and IPv6 (RFC 9293, section 3.1; RFC
// 8200, section 8.1).
func tcpChecksum(addresses, segment []byte) uint16 {
	b := appendWords(append([]byte(nil), addresses...), uint32(len(segment)), protocolTCP)
	b = append(b, segment...)
	return checksum(append(b, make([]byte, len(b)%2)...))
}
