package capture

import "encoding/binary"

// An order is a byte order that a file chooses for its numbers.
type order bool

const (
	littleEndian order = false
	bigEndian    order = true
)

func (o order) u16(b []byte) uint16 {
	if o == bigEndian {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func (o order) u32(b []byte) uint32 {
	if o == bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func (o order) u64(b []byte) uint64 {
	if o == bigEndian {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

func (o order) binary() ByteOrder {
	if o == bigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}
