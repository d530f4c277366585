package rocev2

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"strings"

	"github.com/rdmacap/rdmacap/capture/link"
)

// An ICRCRule is a way to compute an ICRC that is not that of the architecture. Senders and
// devices on the way that follow one make all ICRCs wrong in the same way, which damage does not.
type ICRCRule struct {
	// Kind is what is done otherwise.
	Kind ICRCKind
	// Src and Dst are the addresses that the ICRC was computed for (ICRCAddresses).
	Src, Dst link.Addr
	// mask are the fields that count otherwise (ICRCMask), at most one way each.
	mask []maskedField
}

// An ICRCKind is what a sender does otherwise.
type ICRCKind uint8

const (
	ICRCDamaged   ICRCKind = iota // no rule is known by which it is right
	ICRCNoPad                     // it is computed without the pad
	ICRCReversed                  // it is sent most significant byte first
	ICRCAddresses                 // it is that of other addresses
	ICRCMask                      // other fields are masked
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
	{name: "FECN, BECN and the reserved bits behind them", of: ofBTH, at: 4, size: 1, first: 0xff},
	{name: "IPv4 total length", of: ofIPv4, at: 2, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 identification", of: ofIPv4, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 flags and fragment offset", of: ofIPv4, at: 6, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv4 addresses", of: ofIPv4, at: 12, size: 8, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv6 addresses", of: ofIPv6, at: 8, size: 32, first: 0xff, last: 0xff, invariable: true},
	{name: "IPv6 payload length", of: ofIPv6, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "UDP source port", of: ofUDP, at: 0, size: 2, first: 0xff, last: 0xff, invariable: true},
	{name: "UDP length", of: ofUDP, at: 4, size: 2, first: 0xff, last: 0xff, invariable: true},
}

// FindICRCRule looks for a rule by which the ICRC that a frame carries is right, where it is
// wrong. From are the addresses that the frame may have had before it was translated on its way: a
// source and a destination each, of which either may be none. It is for frames that are
// rare, and takes as long as a dozen ICRCs.
func FindICRCRule(frame []byte, p *link.Packet, from ...[2]link.Addr) (r ICRCRule, ok bool) {
	for _, kind := range [...]ICRCKind{ICRCNoPad, ICRCReversed} {
		if r = (ICRCRule{Kind: kind}); r.Explains(frame, p) {
			return r, true
		}
	}
	for _, a := range from {
		for _, r = range [...]ICRCRule{{Kind: ICRCAddresses, Src: a[0]}, {Kind: ICRCAddresses, Dst: a[1]}, {Kind: ICRCAddresses, Src: a[0], Dst: a[1]}} {
			if r.Explains(frame, p) {
				return r, true
			}
		}
	}
	if mask := findMask(frame, p); mask != nil {
		return ICRCRule{Kind: ICRCMask, mask: mask}, true
	}
	return ICRCRule{}, false
}

// Explains reports whether the ICRC that a frame carries is right by the rule, and wrong without
// it. It is false for a frame that was not captured whole.
func (r *ICRCRule) Explains(frame []byte, p *link.Packet) bool {
	computed, carried, ok := ICRC(frame, p)
	if !ok || computed == carried {
		return false
	}
	switch r.Kind {
	case ICRCReversed:
		return bits.ReverseBytes32(computed) == carried
	case ICRCNoPad:
		pad := int(frame[p.Start()+1] >> 4 & 3)
		end := p.End() - ICRCSize - pad
		if pad == 0 || end < p.Start()+BTHSize {
			return false
		}
		crc, ok := sumByTables(frame[:end], p)
		return ok && bits.ReverseBytes32(crc) == carried
	case ICRCAddresses, ICRCMask:
		var h maskedHeaders
		if !h.read(frame, p) {
			return false
		}
		if r.Kind == ICRCAddresses {
			return h.readdress(r.Src, r.Dst) && h.sum() == carried
		}
		crc := h.sum()
		for _, m := range r.mask {
			crc ^= h.change(m)
		}
		return crc == carried
	}
	return false
}

// Fields says which fields count otherwise than they should, for a person; "" but for ICRCMask.
func (r *ICRCRule) Fields() string {
	var list [leftOut + 1][]string
	for _, m := range r.mask {
		list[m.state] = append(list[m.state], m.field.name)
	}
	var parts []string
	for state, words := range [...]string{asSent: " as sent, not as all ones", asZeros: " as zeros, not as all ones", asOnes: " as all ones, not as sent", leftOut: " left out"} {
		if names := list[state]; names != nil {
			parts = append(parts, strings.Join(names, ", ")+words)
		}
	}
	return strings.Join(parts, "; ")
}

// maskedHeaders are the headers of a packet that the ICRC covers, up to the BTH, as it counts them.
type maskedHeaders struct {
	octets [144]byte // a dummy LRH, then those of the frame
	n      int
	at     [5]int // where each part is, 0 for none
	frame  []byte // the same of the frame, without the LRH
	rest   []byte // what follows, up to the ICRC
}

// read reports false where there is no IP header or GRH, or one that is too long.
func (h *maskedHeaders) read(frame []byte, p *link.Packet) bool {
	at, start := p.Network(), p.Start()
	if p.Transport == link.InfiniBand {
		at = p.GRH()
	}
	end := start + BTHSize
	if at < 0 || at > start-ipv4Size || end > p.End()-ICRCSize || p.End() > len(frame) || lrhSize+end-at > len(h.octets) {
		return false
	}
	h.frame, h.rest, h.n = frame[at:end], frame[end:p.End()-ICRCSize], lrhSize+end-at
	for i := range lrhSize {
		h.octets[i] = 0xff
	}
	copy(h.octets[lrhSize:], h.frame)
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
		mask, b := byte(0xff), &h.octets[at+f.at+i]
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
			to, by = h.octets[lrhSize+12+4*i:], b[:]
		case h.at[ofIPv6] > 0 && ip.Is6():
			b := ip.As16()
			to, by = h.octets[lrhSize+8+16*i:], b[:]
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
	crc := crc32.Update(0, crc32.IEEETable, h.octets[at:h.n])
	return bits.ReverseBytes32(crc32.Update(crc, crc32.IEEETable, h.rest))
}

// change is by which bits the ICRC differs if one field counts otherwise. As a CRC is linear, those
// of several fields add up.
func (h *maskedHeaders) change(m maskedField) uint32 {
	before, from := h.sum(), 0
	saved := h.octets
	if m.state == leftOut {
		from = lrhSize
	} else if !h.set(m) {
		return 0
	}
	after := h.sumFrom(from)
	h.octets = saved
	return before ^ after
}

// findMask looks for fields that count otherwise, the fewest with which the ICRC is right; nil if there are none.
func findMask(frame []byte, p *link.Packet) []maskedField {
	var h maskedHeaders
	if !h.read(frame, p) {
		return nil
	}
	var s maskSearch
	for i := range headerFields {
		f := &headerFields[i]
		states := []fieldState{asSent, asZeros}
		switch {
		case f.of == ofLRH:
			states = []fieldState{leftOut, asZeros}
		case f.invariable:
			states = []fieldState{asOnes}
		}
		var seen uint32
		for _, state := range states {
			if m := (maskedField{f, state}); h.change(m) != 0 && h.change(m) != seen {
				seen = h.change(m)
				s.ways = append(s.ways, maskWay{m, seen})
			}
		}
	}
	difference := h.sum() ^ binary.BigEndian.Uint32(frame[p.End()-ICRCSize:])
	for fields := 1; fields <= mostMasked; fields++ {
		if s.find(0, fields, difference) {
			return s.found
		}
	}
	return nil
}

// mostMasked is how many fields may count otherwise: all that should be masked.
const mostMasked = 6

// A maskWay is a way in which one field may count, and by which bits the ICRC differs then.
type maskWay struct {
	maskedField
	change uint32
}

type maskSearch struct {
	ways       []maskWay
	found      []maskedField
	invariable bool // one that should not be masked is among them
}

// find looks among the ways from one on for so many whose changes give a difference. Of fields that
// should not be masked it takes one at most: of more combinations one fits damage too often.
func (s *maskSearch) find(from, fields int, difference uint32) bool {
	if fields == 0 {
		return difference == 0
	}
	for i := from; i < len(s.ways); i++ {
		w := &s.ways[i]
		if n := len(s.found); w.field.invariable && s.invariable || n > 0 && s.found[n-1].field == w.field {
			continue
		}
		s.found, s.invariable = append(s.found, w.maskedField), s.invariable || w.field.invariable
		if s.find(i+1, fields-1, difference^w.change) {
			return true
		}
		s.found = s.found[:len(s.found)-1]
		s.invariable = s.invariable && !w.field.invariable
	}
	return false
}
