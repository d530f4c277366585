package link

import "encoding/binary"

// decodePlain is the straight-line route for nearly every frame of a capture of
// RDMA: Ethernet without tags, IPv4 without options or fragments, and within it
// RoCEv2 or TCP, all lengths in agreement. It reports false for any other frame,
// and says nothing of it then; the general route gives the same result for these.
func (p *Packet) decodePlain(data []byte, length int, roce uint16) bool {
	const ip, next = ethernetSize, ethernetSize + ipv4Size // next: the UDP or TCP header
	if len(data) < next+udpSize {
		return false
	}
	h := data[:next+udpSize]
	end := ip + int(binary.BigEndian.Uint16(h[ip+2:]))
	if binary.BigEndian.Uint16(h[12:]) != etherIPv4 || h[ip] != 0x45 || end < next || end > length ||
		binary.BigEndian.Uint16(h[ip+6:])&fragmentBits != 0 {
		return false
	}
	*p = Packet{}
	p.between(AddrIPv4(h[ip+12:ip+16]), AddrIPv4(h[ip+16:ip+20]))
	p.SrcPort, p.DstPort = binary.BigEndian.Uint16(h[next:]), binary.BigEndian.Uint16(h[next+2:])
	p.IPID = binary.BigEndian.Uint16(h[ip+4:])
	p.ECN = h[ip+1] & 3
	switch h[ip+9] {
	case protoUDP:
		p.Transport = RoCEv2
		p.place(ip, next+udpSize, end)
		return (p.DstPort == rocePort || p.DstPort == roce && roce != 0) &&
			end >= next+udpSize && end == next+int(binary.BigEndian.Uint16(h[next+4:]))
	case protoTCP:
		p.Transport, p.protocol = TCP, isTCP
		p.place(ip, next, end)
		return p.TCP.decodePlain(data[next:min(end, len(data))])
	}
	return false
}

// decodePlain reads the TCP header that b begins with. It reports false where it
// is not whole, and with options other than the time stamps that nearly every
// segment of a connection has.
func (s *Segment) decodePlain(b []byte) bool {
	if len(b) < tcpSize {
		return false
	}
	h := b[:tcpSize]
	s.header(h)
	s.size = h[12] >> 4 * 4
	return s.size == tcpSize ||
		s.size == tcpSize+stampsOnly && len(b) >= tcpSize+stampsOnly && s.onlyStamps(b[tcpSize:tcpSize+stampsOnly])
}
