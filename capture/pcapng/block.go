package pcapng

import (
	"encoding/binary"
	"runtime"
)

// An Order is the byte order of a section.
type Order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Block types, sections 4.1 to 4.6; that of OldPacket, which nobody writes any more, is in
// appendix A.
const (
	Section        = 0x0a0d0d0a // the same in both byte orders
	Interface      = 1
	OldPacket      = 2
	SimplePacket   = 3
	Statistics     = 5
	EnhancedPacket = 6
)

const (
	// ByteOrderMagic follows the length of a section header.
	ByteOrderMagic = 0x1a2b3c4d
	// AnyLength is the section length, -1, of a section that states none.
	AnyLength = 1<<64 - 1
)

// lengthOffset is where in a block its length stands.
const lengthOffset = 4

// Begin appends the type of a block, and room for its length.
func Begin(b []byte, o Order, kind uint32) []byte {
	b = o.AppendUint32(b, kind)
	return o.AppendUint32(b, 0)
}

// End ends the block that begins at an offset of b: it sets the block's length, and
// appends it again.
func End(b []byte, o Order, start int) []byte {
	total := uint32(len(b) - start + 4)
	o.PutUint32(b[start+lengthOffset:], total)
	return o.AppendUint32(b, total)
}

// BeginSection begins a Section Header Block (section 4.1), which states no length of the
// section.
func BeginSection(b []byte, o Order) []byte {
	b = Begin(b, o, Section)
	b = o.AppendUint32(b, ByteOrderMagic)
	b = o.AppendUint16(b, 1)
	b = o.AppendUint16(b, 0)
	return o.AppendUint64(b, AnyLength)
}

// AppendHeader appends the header of a section, with a comment unless it is "", and the program that
// writes it.
func AppendHeader(b []byte, o Order, comment, program string) []byte {
	start := len(b)
	b = BeginSection(b, o)
	if comment != "" {
		b = AppendText(b, o, Comment, comment)
	}
	b = AppendText(b, o, System, runtime.GOOS)
	b = AppendText(b, o, Program, program)
	return End(EndOptions(b, o), o, start)
}

// BeginInterface begins an Interface Description Block (section 4.2). The snap length is in
// bytes, 0 for no limit. The unit of its times is 10 to the power of minus resolution
// seconds.
func BeginInterface(b []byte, o Order, linkType uint16, snaplen uint32, resolution byte) []byte {
	return AppendOption(BeginInterfaceAs(b, o, linkType, snaplen), o, TimeResolution, []byte{resolution})
}

// BeginInterfaceAs begins one whose options say what the unit of its times is.
func BeginInterfaceAs(b []byte, o Order, linkType uint16, snaplen uint32) []byte {
	b = Begin(b, o, Interface)
	b = o.AppendUint16(b, linkType)
	b = o.AppendUint16(b, 0)
	return o.AppendUint32(b, snaplen)
}

// A Packet is what an Enhanced Packet Block says of a frame, but for its bytes and its
// options.
type Packet struct {
	// Interface is the number of the interface in its section, from 0.
	Interface uint32
	// Length is the number of bytes that the frame had on the wire.
	Length uint32
	// Ticks is the time since 1970 in units of the interface.
	Ticks uint64
}

// BeginPacket begins an Enhanced Packet Block (section 4.3):
//
//	| type      | length    | interface | time, high | time, low | captured | on the wire | bytes ...
func BeginPacket(b []byte, o Order, p Packet, data []byte) []byte {
	b = Begin(b, o, EnhancedPacket)
	b = o.AppendUint32(b, p.Interface)
	b = o.AppendUint32(b, uint32(p.Ticks>>32))
	b = o.AppendUint32(b, uint32(p.Ticks))
	b = o.AppendUint32(b, uint32(len(data)))
	b = o.AppendUint32(b, p.Length)
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&3)...)
}

// PacketSize is the length in bytes of an Enhanced Packet Block without options.
func PacketSize(data int) int { return 28 + (data+3)&^3 + 4 }

// BeginStatistics begins an Interface Statistics Block (section 4.6), which says at a time,
// in units of the interface, what came of it so far.
func BeginStatistics(b []byte, o Order, id uint32, ticks uint64) []byte {
	b = Begin(b, o, Statistics)
	b = o.AppendUint32(b, id)
	b = o.AppendUint32(b, uint32(ticks>>32))
	return o.AppendUint32(b, uint32(ticks))
}
