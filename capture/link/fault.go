package link

import "github.com/rdmacap/rdmacap/field"

// A faultCode is what can be wrong with a frame, in one byte: first, that a
// header of some kind is not whole, at layerKind's distance from noFault; the
// same by the snap length; then all else.
type faultCode uint8

const (
	noFault      faultCode = 0
	faultShort   faultCode = 1
	faultSnapped           = faultShort + faultCode(kindCount)
)

const (
	manyERFExtensions faultCode = faultSnapped + faultCode(kindCount) + iota
	manyTags
	manyExtensions
	lrhVersion
	lrhLessThanHeaders
	lrhBeyondFrame
	grhAndLRH
	grhBeyondFrame
	grhVersion
	grhNext
	ipVersion
	ipv4Version
	ipv4HeaderLength
	ipv4NoLength
	ipv4LessThanHeader
	ipv4BeyondFrame
	ipv6Version
	ipv6BeyondFrame
	ipv6NoLength
	ipv6ExtensionBeyond
	tcpBeyondPacket
	tcpOffsetLess
	tcpOffsetBeyond
	optionCut
	optionShort
	optionBeyond
	optionOfNoSize
	udpBeyondPacket
	udpNoLength
	udpLessThanHeader
	udpLengthBeyond
	udpLengthBefore
	greBeyondPacket
	geneveBeyondPacket
	manyLabels
	pppoeLessThanHeader
	nshLessThanHeader
	faultCount
)

// reasons are the faults for a person; those of headers that are not whole are in
// layerSpecs.
var reasons = [faultCount]string{
	manyERFExtensions:   "more than 8 ERF extension headers",
	manyTags:            "more than 8 VLAN tags",
	manyExtensions:      "more than 8 IPv6 extension headers",
	lrhVersion:          "LRH LVer is not 0",
	lrhLessThanHeaders:  "LRH PktLen is less than its headers",
	lrhBeyondFrame:      "LRH PktLen runs past the frame",
	grhAndLRH:           "GRH PayLen and LRH PktLen disagree",
	grhBeyondFrame:      "GRH PayLen runs past the frame",
	grhVersion:          "GRH IPVer is not 6",
	grhNext:             "GRH NxtHdr is not 0x1b",
	ipVersion:           "IP version is neither 4 nor 6",
	ipv4Version:         "IPv4 version is not 4",
	ipv4HeaderLength:    "IPv4 IHL is less than 5",
	ipv4NoLength:        "IPv4 total length is 0",
	ipv4LessThanHeader:  "IPv4 total length is less than its header",
	ipv4BeyondFrame:     "IPv4 total length runs past the frame",
	ipv6Version:         "IPv6 version is not 6",
	ipv6BeyondFrame:     "IPv6 payload length runs past the frame",
	ipv6NoLength:        "IPv6 payload length is 0",
	ipv6ExtensionBeyond: "IPv6 extension header runs past the IP packet",
	tcpBeyondPacket:     "TCP header runs past the IP packet",
	tcpOffsetLess:       "TCP data offset is less than 5",
	tcpOffsetBeyond:     "TCP data offset runs past the IP packet",
	optionCut:           "TCP option has no length",
	optionShort:         "TCP option length is less than 2",
	optionBeyond:        "TCP option runs past the header",
	optionOfNoSize:      "TCP option length is not one that its kind has",
	udpBeyondPacket:     "UDP header runs past the IP packet",
	udpNoLength:         "UDP length is 0",
	udpLessThanHeader:   "UDP length is less than its header",
	udpLengthBeyond:     "UDP length runs past the IP packet",
	udpLengthBefore:     "UDP length ends before the IP packet",
	greBeyondPacket:     "GRE header runs past the IP packet",
	geneveBeyondPacket:  "Geneve options run past the UDP datagram",
	manyLabels:          "more than 16 MPLS labels",
	pppoeLessThanHeader: "PPPoE length is less than the PPP header",
	nshLessThanHeader:   "NSH length is less than its header",
}

// reason is the fault for a person, "" for none.
func (c faultCode) reason() string {
	switch {
	case c >= faultShort && c < faultSnapped:
		return layerSpecs[c-faultShort].short
	case c >= faultSnapped && c < manyERFExtensions:
		return layerSpecs[c-faultSnapped].snapped
	}
	return reasons[c]
}

// Fault is the first thing wrong, with its byte in the frame.
func (p *Packet) Fault() field.Fault {
	return field.Fault{Offset: int(p.faultAt), Reason: p.fault.reason()}
}

// Faulty reports whether something is wrong.
func (p *Packet) Faulty() bool { return p.fault != noFault }

// blame keeps the first thing that is wrong. No header begins after byte 2^15,
// as the bounds in layer.go see to, so its byte fits.
func (p *Packet) blame(offset int, c faultCode) {
	if p.fault == noFault {
		p.fault, p.faultAt = c, uint16(offset)
	}
}
