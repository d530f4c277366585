package capture

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture/link"
)

// A ByteOrder is that of a file's numbers.
type ByteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// A Record is what a file says of a frame beside what Frame has of it, for those who copy it.
type Record struct {
	// Order is the byte order of what is in it.
	Order ByteOrder
	// Ticks is the time in units of the frame's interface, 0 where it has none.
	Ticks uint64
	// Length is how many bytes the frame had on the wire, as the file states it.
	Length uint32
	// Options are those of a pcapng block, the comments among them, as they stand there; nil if it
	// has none. Old says that the block is a Packet Block, whose options have other codes and
	// which has a count of Drops, 65535 if that is not known.
	Options []byte
	Old     bool
	Drops   uint16
}

// An Interface is what a file says of one interface.
type Interface struct {
	// File is the index of the file, Order the byte order of Options.
	File  int
	Order ByteOrder
	// Link is the link type of its frames, Snaplen how many bytes of each are captured at most, 0
	// for no limit.
	Link    link.Type
	Snaplen uint32
	// Section and Number are what Frame.Section and Frame.Interface name it by.
	Section uint32
	Number  uint16
	// Options are those of its block, as they stand there; of a pcap file, the unit of its times.
	// They are valid during the call only.
	Options []byte
}

// OnInterface has a function told of each interface before the first frame that it may have
// captured. It is to be called before the first frame is read.
func (r *File) OnInterface(tell func(Interface)) {
	switch f := r.format.(type) {
	case *pcapng:
		f.onInterface = func(in Interface) {
			in.File = r.index
			tell(in)
		}
	case *pcap:
		in := Interface{File: r.index, Order: f.order.binary(), Link: f.link, Snaplen: f.snaplen}
		digits := byte(9)
		if f.unit > 1 {
			digits = 6
		}
		in.Options = in.Order.AppendUint16(nil, ifTsresol)
		in.Options = append(in.Order.AppendUint16(in.Options, 1), digits, 0, 0, 0)
		tell(in)
	}
}

// Record is what the file says of the frame that Next gave last. It is valid until the next read.
func (r *File) Record(f *Frame) Record {
	held := r.long // of its record, as much as frames have
	if r.long == nil || r.longAt != f.Offset {
		held = r.win.buf[f.Offset-r.win.base : r.win.start]
	}
	if p, is := r.format.(*pcapng); is {
		return p.record(held, f)
	}
	return r.format.(*pcap).record(held)
}

// record is the record of a frame, of which that much is held.
func (p *pcap) record(held []byte) Record {
	perSecond := uint64(1e9) / uint64(p.unit)
	return Record{
		Order: p.order.binary(), Length: p.order.u32(held[12:]),
		Ticks: uint64(p.order.u32(held))*perSecond + uint64(p.order.u32(held[4:])),
	}
}

// record is the record of a frame, of whose block that much is held.
func (p *pcapng) record(held []byte, f *Frame) Record {
	rec := Record{Order: p.order.binary(), Drops: unknownDrops}
	kind, body := p.order.u32(held), held[bodyOffset:]
	if kind == blockSimplePacket {
		rec.Length = p.order.u32(body)
		return rec
	}
	rec.Ticks = uint64(p.order.u32(body[4:]))<<32 | uint64(p.order.u32(body[8:]))
	rec.Length = p.order.u32(body[16:])
	if kind == blockPacket {
		rec.Old, rec.Drops = true, p.order.u16(body[2:])
	}
	size := int(p.order.u32(held[4:]))
	if options := packetHead + (len(f.Data)+3)&^3; len(held) == size && bodyOffset+options < size-4 {
		rec.Options = body[options : len(body)-4]
	}
	return rec
}
