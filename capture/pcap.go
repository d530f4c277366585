package capture

import (
	"bytes"

	"github.com/rdmacap/rdmacap/capture/link"
)

// pcapFileHeader is the length of the file header in bytes.
const pcapFileHeader = 24

// A pcapVariant is what a pcap magic number stands for.
type pcapVariant struct {
	magic  uint32
	unit   int64 // nanoseconds in one step of the fraction
	header int   // bytes of a record header
}

var pcapVariants = [...]pcapVariant{
	{magic: 0xa1b2c3d4, unit: 1000, header: 16},
	{magic: 0xa1b23c4d, unit: 1, header: 16},
	{magic: 0xa1b2cd34, unit: 1000, header: 24},
}

func variantOf(magic uint32) *pcapVariant {
	for i := range pcapVariants {
		if pcapVariants[i].magic == magic {
			return &pcapVariants[i]
		}
	}
	return nil
}

// pcap reads the records of a pcap file.
type pcap struct {
	order  order
	unit   int64
	header int
	limit  uint32 // the longest captured length that is believed
	// snaplen is that of the file's header.
	snaplen uint32
	link    link.Type
	// ahead is the length in bytes of the next record, if all of it lies in the
	// window and may be believed, and 0 otherwise.
	ahead int
}

// saneFrame is a captured length, in bytes, that is believed even above the
// file's snap length: writers are careless with that, and it is the longest
// that the tools of the trade write.
const saneFrame = 256 << 10

// newPcap reads the file header.
func newPcap(r *File, o order, v *pcapVariant) (format, error) {
	h := r.win.peek(pcapFileHeader)
	if len(h) < pcapFileHeader {
		return nil, r.stopped(0)
	}
	if major, minor := o.u16(h[4:]), o.u16(h[6:]); major != 2 || minor != 4 {
		return nil, r.bad(4, "pcap version %d.%d is not supported (2.4 is); %s", major, minor, convert)
	}
	p := &pcap{order: o, unit: v.unit, header: v.header}
	// The upper half holds the length of a frame check sequence. It is not
	// needed: the headers inside a frame say where their packet ends.
	p.link = link.Type(o.u32(h[20:]) & 0xffff)
	// A snap length of 0 or beyond reason says nothing.
	snap := o.u32(h[16:])
	p.snaplen = snap
	if snap == 0 || snap > maxRecord {
		snap = maxRecord
	}
	p.limit = max(snap, saneFrame)
	r.win.advance(pcapFileHeader)
	return p, nil
}

func (p *pcap) next(r *File, f *Frame) error {
	w := &r.win
	size := p.ahead
	if size == 0 {
		var err error
		if size, err = p.await(r); err != nil {
			return err
		}
	}
	start := w.offset()
	record := w.buf[w.start : w.start+size : w.start+size]
	w.advance(size)
	captured := p.order.u32(record[8:])
	if rest := p.header + int(captured) - size; rest > 0 {
		record = bytes.Clone(record) // what follows takes its place
		r.long, r.longAt = record, start
		if !w.skip(rest) {
			return r.stopped(start)
		}
	}
	p.ahead = p.whole(w.buf[w.start:w.end])
	r.ready = p.ahead != 0

	h := record[:16]
	f.Time = int64(p.order.u32(h))*1e9 + int64(p.order.u32(h[4:]))*p.unit
	f.Link = p.link
	f.Data = record[p.header:]
	f.Length = wireLength(p.order.u32(h[12:]), captured)
	f.Offset = start
	f.Section, f.Interface = 0, 0
	f.Extra = nil
	return nil
}

// whole is the length in bytes of the record that b begins with, if b holds all
// of it and it may be believed, and 0 otherwise.
func (p *pcap) whole(b []byte) int {
	if len(b) < p.header {
		return 0
	}
	captured := p.order.u32(b[8:])
	if size := p.header + int(captured); captured <= p.limit && size <= min(len(b), maxHeld) {
		return size
	}
	return 0
}

// await reads until all of a record that is held lies in the window, and returns how
// many bytes that are: all of it, but at most maxHeld.
func (p *pcap) await(r *File) (size int, err error) {
	w := &r.win
	start := w.offset()
	h := w.peek(p.header)
	if len(h) < p.header {
		return 0, r.stopped(start)
	}
	captured := p.order.u32(h[8:])
	if captured > p.limit {
		return 0, r.bad(start+8, "a captured length of %d bytes exceeds the limit of %d; "+
			"the file is damaged here, after %s", captured, p.limit, r.wholeFrames())
	}
	size = min(p.header+int(captured), maxHeld)
	if len(w.peek(size)) < size {
		return 0, r.stopped(start)
	}
	return size, nil
}
