package rocev2

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture/link"
)

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
		if s.findMask(0, fields, difference) {
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

// findMask looks among the ways from one on for so many whose changes give a difference. Of fields that
// should not be masked it takes one at most: of more combinations one fits damage too often.
func (s *maskSearch) findMask(from, fields int, difference uint32) bool {
	if fields == 0 {
		return difference == 0
	}
	for i := from; i < len(s.ways); i++ {
		w := &s.ways[i]
		if n := len(s.found); w.field.invariable && s.invariable || n > 0 && s.found[n-1].field == w.field {
			continue
		}
		s.found, s.invariable = append(s.found, w.maskedField), s.invariable || w.field.invariable
		if s.findMask(i+1, fields-1, difference^w.change) {
			return true
		}
		s.found = s.found[:len(s.found)-1]
		s.invariable = s.invariable && !w.field.invariable
	}
	return false
}
