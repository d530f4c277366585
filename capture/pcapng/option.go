package pcapng

import (
	"strings"
	"unicode/utf8"
)

// Option codes, sections 3.5 and 4.1 to 4.6.
const (
	EndOfOptions = 0
	Comment      = 1
	// Of sections: the system, and the program that wrote them.
	System  = 3
	Program = 4
	// Of interfaces.
	Name           = 2
	Description    = 3
	TimeResolution = 9
	// Of Enhanced Packet Blocks: 64 bits, how many packets were dropped between this
	// and the one before of the same interface.
	DropCount = 4
	// Of Interface Statistics Blocks, each of 64 bits: packets that the interface
	// dropped, that the system dropped, and that were delivered, since capturing began.
	InterfaceDrops = 5
	SystemDrops    = 7
	Delivered      = 8
)

// maxOption is the longest value of an option, in bytes: its length has 16 bits.
const maxOption = 1<<16 - 1

// AppendOption appends one option, filled up to a multiple of 4 bytes. The value has at
// most 65535 bytes.
//
//	| code      | length    | value, filled up
func AppendOption[T string | []byte](b []byte, o Order, code uint16, value T) []byte {
	b = o.AppendUint16(b, code)
	b = o.AppendUint16(b, uint16(len(value)))
	b = append(b, value...)
	return append(b, make([]byte, -len(value)&3)...)
}

// AppendCount appends an option whose value is a number of 64 bits.
func AppendCount(b []byte, o Order, code uint16, value uint64) []byte {
	b = o.AppendUint16(b, code)
	b = o.AppendUint16(b, 8)
	return o.AppendUint64(b, value)
}

// AppendText appends an option whose value is text in UTF-8: control characters are left
// out, and what is beyond the length of an option is cut off.
func AppendText(b []byte, o Order, code uint16, s string) []byte {
	return AppendOption(b, o, code, text(s))
}

// EndOptions appends what stands after the last option of a block.
func EndOptions(b []byte, o Order) []byte { return AppendOption(b, o, EndOfOptions, "") }

// text is what can be an option's value.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r // also utf8.RuneError, for bytes that are no UTF-8
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
