package capture

import (
	"github.com/rdmacap/rdmacap/capture/link"
)

// Option codes, draft-ietf-opsawg-pcapng sections 3.5, 4.2 and 4.3.
const (
	optEnd       = 0
	optComment   = 1
	epbDropcount = 4
	ifTsresol    = 9
	ifTsoffset   = 14
	optionHead   = 4 // bytes: code and length
)

// addInterface reads an interface description block (draft-ietf-opsawg-pcapng
// section 4.2):
//
//	| link type | reserved  | snap length           | options
func (p *pcapng) addInterface(r *File, b block) error {
	if len(b.body) < 8 {
		return b.short(r, "an interface description")
	}
	if len(p.interfaces) == maxInterfaces {
		return r.bad(b.start, "a section with more than %d interfaces", maxInterfaces)
	}
	in := pcapngInterface{
		link:    link.Type(p.order.u16(b.body)),
		snaplen: p.order.u32(b.body[4:]),
	}
	resolution, offset := byte(6), int64(0) // microseconds, where no option says otherwise
	rest := b.body[8:]
	for {
		at := b.start + bodyOffset + int64(len(b.body)-len(rest))
		code, value, after, ok := p.option(rest)
		if !ok {
			return r.bad(at, "an option of an interface description does not fit its block")
		}
		switch {
		case code == optEnd:
			in.clock = newClock(resolution, offset)
			if p.onInterface != nil {
				p.onInterface(Interface{
					Order: p.order.binary(), Link: in.link, Snaplen: in.snaplen,
					Section: p.section, Number: uint16(len(p.interfaces)), Options: b.body[8:],
				})
			}
			p.interfaces = append(p.interfaces, in)
			return nil
		case code == ifTsresol && len(value) != 1, code == ifTsoffset && len(value) != 8:
			return r.bad(at, "a time option of %d bytes in an interface description", len(value))
		case code == ifTsresol:
			resolution = value[0]
		case code == ifTsoffset:
			offset = int64(p.order.u64(value))
		}
		rest = after
	}
}

// option splits one option from a list: its code, its value, and what follows.
// The end of the bytes ends a list just as opt_endofopt does. It is not ok
// where the option is longer than what is there.
//
//	| code      | length    | value, filled up to a multiple of 4
func (p *pcapng) option(list []byte) (code uint16, value, rest []byte, ok bool) {
	if len(list) == 0 {
		return optEnd, nil, nil, true
	}
	if len(list) < optionHead {
		return 0, nil, nil, false
	}
	code, length := p.order.u16(list), int(p.order.u16(list[2:]))
	padded := optionHead + (length+3)&^3
	if padded > len(list) {
		return 0, nil, nil, false
	}
	return code, list[optionHead : optionHead+length], list[padded:], true
}
