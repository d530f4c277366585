package rocev2

import (
	"hash/crc32"
	"math/bits"

	"github.com/rdmacap/rdmacap/capture/link"
)

// A maskedField is a field that counts otherwise than it should.
type maskedField struct {
	field *headerField
	state fieldState
}

// A fieldState is as what a field counts.
type fieldState uint8

const (
	asSent fieldState = iota
	asZeros
	asOnes
	leftOut
)

// A headerField is a field of the headers that ICRCMask tries. Its bytes are counted from the
// begin of the IP header or GRH, of the UDP header, or of the BTH.
type headerField struct {
	name       string
	of         headerPart
	at, size   int
	first      byte // the bits of its first byte that are of it
	last       byte // those of its last byte, if it has several
	invariable bool // it counts as it is, and should
}

type headerPart uint8

const (
	ofLRH headerPart = iota
	ofIPv4
	ofIPv6
	ofUDP
	ofBTH
)

// headerFields are those of which one or the other way is tried. The P_Key is not: most are all ones, so that to mask it
// and to damage it look the same.
var headerFields = [...]headerField{
	{name: "the dummy LRH", of: ofLRH, size: 8, first: 0xff, last: 0xff},
	{name: "type of service", of: ofIPv4, at: 1, size: 1, first: 0xff},
	{name: "TTL", of: ofIPv4, at: 8, size: 1, first: 0xff},
	{name: "IPv4 checksum", of: ofIPv4, at: 10, size: 2, first: 0xff, last: 0xff},
	{name: "traffic class and flow label", of: ofIPv6, at: 0, size: 4, first: 0x0f, last: 0xff},
	{name: "hop limit", of: ofIPv6, at: 7, size: 1, first: 0xff},
	{name: "UDP checksum", of: ofUDP, at: 6, size: 2, first: 0xff, last: 0xff},
	{name: "FECN, BECN and the reserved bits after them", of: ofBTH, at: 4, size: 1, first: 0xff},
	{name: "IPv4 total length", of: ofIPv4, at: 2, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 identification", of: ofIPv4, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 flags and fragment offset", of: ofIPv4, at: 6, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 addresses", of: ofIPv4, at: 12, size: 8, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv6 addresses", of: ofIPv6, at: 8, size: 32, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv6 payload length", of: ofIPv6, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "UDP source port", of: ofUDP, at: 0, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "UDP length", of: ofUDP, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
}

// maskedHeaders are the headers of a packet that the ICRC covers, up to the BTH, as it counts them.
type maskedHeaders struct {
	bytes [144]byte // a dummy LRH, then those of the frame
	n     int
	at    [5]int // where each part is, 0 for none
	frame []byte // the same of the frame, without the LRH
	rest  []byte // what follows, up to the ICRC
}

// read reports false where there is no IP header or GRH, or one that is too long.
func (h *maskedHeaders) read(frame []byte, p *link.Packet) bool {
	at, start := p.Network(), p.Start()
	if p.Transport == link.InfiniBand {
		at = p.GRH()
	}
	end := start + BTHSize
	if at < 0 || at > start-ipv4Size || end > p.End()-ICRCSize || p.End() > len(frame) || lrhSize+end-at > len(h.bytes) {
		return false
	}
	h.frame, h.rest, h.n = frame[at:end], frame[end:p.End()-ICRCSize], lrhSize+end-at
	for i := range lrhSize {
		h.bytes[i] = 0xff
	}
	copy(h.bytes[lrhSize:], h.frame)
	ip := ofIPv6
	if p.Transport == link.RoCEv2 {
		h.at[ofUDP] = lrhSize + start - at - udpSize
		if frame[at]>>4 == 4 {
			ip = ofIPv4
		}
	}
	if ip == ofIPv6 && start-at < ipv6Size {
		return false
	}
	h.at[ip], h.at[ofBTH] = lrhSize, lrhSize+start-at
	for i := range headerFields {
		if f := &headerFields[i]; !f.invariable {
			h.set(maskedField{f, asOnes})
		}
	}
	return true
}

// set makes a field count otherwise; it reports false where there is no such field.
func (h *maskedHeaders) set(m maskedField) bool {
	f := m.field
	at := h.at[f.of]
	if f.of != ofLRH && at == 0 {
		return false
	}
	for i := range f.size {
		mask, b := byte(0xff), &h.bytes[at+f.at+i]
		switch {
		case i == 0:
			mask = f.first
		case i == f.size-1:
			mask = f.last
		}
		switch m.state {
		case asOnes:
			*b |= mask
		case asZeros:
			*b &^= mask
		case asSent:
			if f.of != ofLRH {
				*b = *b&^mask | h.frame[at+f.at+i-lrhSize]&mask
			}
		}
	}
	return true
}

// readdress puts other addresses in place of those of the IP header; it reports false where these are no
// others, or of another kind.
func (h *maskedHeaders) readdress(src, dst link.Addr) (changed bool) {
	for i, a := range [...]link.Addr{src, dst} {
		ip := a.IP()
		if !ip.IsValid() {
			continue
		}
		var to, by []byte
		switch {
		case h.at[ofIPv4] > 0 && ip.Is4():
			b := ip.As4()
			to, by = h.bytes[lrhSize+12+4*i:], b[:]
		case h.at[ofIPv6] > 0 && ip.Is6():
			b := ip.As16()
			to, by = h.bytes[lrhSize+8+16*i:], b[:]
		default:
			return false
		}
		changed = changed || string(to[:len(by)]) != string(by)
		copy(to, by)
	}
	return changed
}

// sum is the ICRC, as a big-endian number.
func (h *maskedHeaders) sum() uint32 { return h.sumFrom(0) }

func (h *maskedHeaders) sumFrom(at int) uint32 {
	crc := crc32.Update(0, crc32.IEEETable, h.bytes[at:h.n])
	return bits.ReverseBytes32(crc32.Update(crc, crc32.IEEETable, h.rest))
}

// change is by which bits the ICRC differs if one field counts otherwise. As a CRC is linear, those
// of several fields add up.
func (h *maskedHeaders) change(m maskedField) uint32 {
	before, from := h.sum(), 0
	saved := h.bytes
	if m.state == leftOut {
		from = lrhSize
	} else if !h.set(m) {
		return 0
	}
	after := h.sumFrom(from)
	h.bytes = saved
	return before ^ after
}
