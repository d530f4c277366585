package build

import "encoding/binary"

// Reseal makes the checksums right again of a frame whose bytes were changed:
// those of the IPv4 header and of TCP, and RoCE's ICRC. MPA's CRC stays as it is,
// and so does everything in a frame whose IP header is not as this package
// writes it, without options. It changes the frame itself.
func Reseal(frame []byte) {
	const (
		etherLength = 14
		vlanLength  = 4
		ipv4Length  = 20
		ipv6Length  = 40
		tcpLength   = 20
		ibaLength   = 12 + icrcLength // BTH alone
	)
	at := etherLength
	for at+vlanLength <= len(frame) {
		if t := binary.BigEndian.Uint16(frame[at-2:]); t != 0x8100 && t != 0x88a8 {
			break
		}
		at += vlanLength
	}
	if at+ipv6Length > len(frame) {
		return
	}
	ip, end, next := frame[at:], 0, byte(0)
	var addresses, transport []byte
	switch t := binary.BigEndian.Uint16(frame[at-2:]); {
	case t == etherTypeIPv4 && ip[0] == 4<<4|ipv4Length/4:
		end, next = int(binary.BigEndian.Uint16(ip[2:])), ip[9]
		copy(ip[10:], []byte{0, 0})
		binary.BigEndian.PutUint16(ip[10:], checksum(ip[:ipv4Length]))
		addresses, transport = ip[12:ipv4Length], ip[ipv4Length:]
	case t != etherTypeIPv4 && ip[0]>>4 == 6:
		end, next = ipv6Length+int(binary.BigEndian.Uint16(ip[4:])), ip[6]
		addresses, transport = ip[8:ipv6Length], ip[ipv6Length:]
	default:
		return
	}
	header := len(ip) - len(transport)
	if end > len(ip) || end < header {
		return
	}
	transport = ip[header:end]
	switch {
	case next == protocolTCP && len(transport) >= tcpLength:
		copy(transport[16:], []byte{0, 0})
		binary.BigEndian.PutUint16(transport[16:], tcpChecksum(addresses, transport))
	case next == protocolUDP && len(transport) >= udpLength+ibaLength, next == nextHeaderIBA && ip[0]>>4 == 6 && len(transport) >= ibaLength:
		binary.LittleEndian.PutUint32(ip[end-icrcLength:], ICRC(ip[:end-icrcLength]))
	}
}
