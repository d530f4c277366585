package annotate

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// An order is the byte order of a section, or of a pcap file.
type order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Option codes, draft-ietf-opsawg-pcapng sections 3.5, 4.2 and 4.3.
const (
	optEnd       = 0
	optComment   = 1
	ifTsresol    = 9
	epbDropcount = 4
	optionHead   = 4 // octets: code and length
)

// maxOption is the longest value of an option, in octets: its length has 16 bits.
const maxOption = 1<<16 - 1

// appendOption appends one option, filled up to a multiple of 4 octets.
//
//	| code      | length    | value, filled up
func appendOption[T string | []byte](b []byte, o order, code uint16, value T) []byte {
	b = o.AppendUint16(b, code)
	b = o.AppendUint16(b, uint16(len(value)))
	b = append(b, value...)
	return append(b, make([]byte, -len(value)&3)...)
}

// appendOptions appends a list of options, and comments behind those that are
// there. A list that is broken is kept behind the comments, where they can be read.
func appendOptions(b []byte, o order, list []byte, comments []string) []byte {
	end, ok := endOf(o, list)
	if !ok {
		return append(appendComments(b, o, comments), list...)
	}
	b = append(b, list[:end]...)
	b = appendComments(b, o, comments)
	if end == len(list) {
		return appendOption(b, o, optEnd, "")
	}
	return append(b, list[end:]...)
}

func appendComments(b []byte, o order, comments []string) []byte {
	for _, c := range comments {
		b = appendOption(b, o, optComment, text(c))
	}
	return b
}

// endOf is where in a list its last option ends: at opt_endofopt, or where the list
// does. It is not ok where an option is longer than what is there.
func endOf(o order, list []byte) (end int, ok bool) {
	for end < len(list) {
		code, size, ok := option(o, list[end:])
		if !ok {
			return 0, false
		}
		if code == optEnd {
			break
		}
		end += size
	}
	return end, true
}

// option is the code and the size in octets of the first option of a list; it is
// not ok where that does not fit.
func option(o order, list []byte) (code uint16, size int, ok bool) {
	if len(list) < optionHead {
		return 0, 0, false
	}
	size = optionHead + (int(o.Uint16(list[2:]))+3)&^3
	return o.Uint16(list), size, size <= len(list)
}

// text is a comment that can be an option's value.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r // also utf8.RuneError, for octets that are no UTF-8
	}, s)
	if len(s) <= maxOption {
		return s
	}
	const more = "…"
	cut := maxOption - len(more)
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + more
}
