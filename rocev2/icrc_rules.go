package rocev2

import (
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
