package extract

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// le is the byte order of what is written.
var le pcapng.Order = binary.LittleEndian

// A shape is how the value of an option is made of numbers: how many bytes each of them has. 1 is
// for what is the same in both byte orders.
type shape int

// notKnown is the shape of options that are not known.
const notKnown shape = 0

// Options that mean the same in every block, draft-ietf-opsawg-pcapng section 3.5.
const (
	customText      = 2988
	customBytes     = 2989
	customOwnText   = 19372
	customOwnBytes  = 19373
	customNumber    = 4 // bytes of the number of who made it up, before the value
	interfaceSpeed  = 8
	interfaceOffset = 14
)

// shapes are those of the options of a kind of blocks.
type shapes struct {
	of func(code uint16) shape
	// known says that options which it does not know are left out in any byte order.
	known bool
}

// plainOfInterface and plainOfPacket are the options that say nothing of the host, nor of what frames
// carry: speed, units of time, direction, counts.
func plainOfInterface(code uint16) shape {
	switch code {
	case interfaceSpeed, 9, 13, interfaceOffset:
		return ofInterface(code)
	}
	return notKnown
}

func plainOfPacket(code uint16) shape {
	switch code {
	case 2, pcapng.DropCount, 5, 6:
		return ofPacket(code)
	}
	return notKnown
}

// ofInterface is the shape of an option of an Interface Description Block (section 4.2).
func ofInterface(code uint16) shape {
	switch code {
	case pcapng.Comment, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 15:
		return 1
	case 10: // if_tzone
		return 4
	case interfaceSpeed, interfaceOffset, 16, 17:
		return 8
	}
	return notKnown
}

// ofPacket is the shape of an option of an Enhanced Packet Block (section 4.3).
func ofPacket(code uint16) shape {
	switch code {
	case pcapng.Comment, 3, 7: // epb_hash, epb_verdict: bytes
		return 1
	case 2, 6: // epb_flags, epb_queue
		return 4
	case pcapng.DropCount, 5: // and epb_packetid
		return 8
	}
	return notKnown
}

// appendOptions appends a list of options, without the one that ends it. Those in the other byte
// order are turned; a list that is broken is copied up to there.
func appendOptions(b, list []byte, o capture.ByteOrder, of shapes) []byte {
	for len(list) >= 4 {
		code, length := o.Uint16(list), int(o.Uint16(list[2:]))
		padded := 4 + (length+3)&^3
		if code == pcapng.EndOfOptions || padded > len(list) {
			break
		}
		value := list[4 : 4+length]
		list = list[padded:]
		if of.known && of.of(code) == notKnown {
			continue
		}
		if o.Uint16([]byte{1, 0}) == 1 {
			b = pcapng.AppendOption(b, le, code, value)
			continue
		}
		switch code {
		case customText, customBytes, customOwnText, customOwnBytes:
			if length >= customNumber {
				start := len(b)
				b = pcapng.AppendOption(b, le, code, value)
				turn(b[start+4:start+4+customNumber], customNumber)
			}
			continue
		}
		size := of.of(code)
		if size == notKnown || length%int(size) != 0 {
			continue
		}
		start := len(b)
		b = pcapng.AppendOption(b, le, code, value)
		turn(b[start+4:start+4+length], int(size))
	}
	return b
}

// turn turns the byte order of numbers of a size.
func turn(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
