package track_test

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
)

// A recorder that has the frames holds every place that it is told against them:
// whatever befalls a capture, the bytes are where they are reported to be.

// captured keeps a frame for the recorder.
func (d *recorder) captured(ref flow.Ref, content []byte) {
	if d.frames == nil {
		d.frames = make(map[flow.Ref][]byte)
	}
	d.frames[ref] = slices.Clone(content)
}

// at are the bytes of a place; not ok if the frame has no such bytes.
func (d *recorder) at(p flow.Place) (data []byte, ok bool) {
	f := d.frames[p.Ref]
	if p.Length <= 0 || p.Offset < 0 || p.Offset > len(f) || p.Length > len(f)-p.Offset {
		return nil, false
	}
	return f[p.Offset : p.Offset+p.Length], true
}

// lies holds the pieces of a Send against the frames. All bytes have a place,
// unless that would be too many.
func (d *recorder) lies(m *flow.Send) {
	if d.frames == nil {
		return
	}
	next := 0
	for _, p := range m.Pieces {
		content, ok := d.at(p.Place)
		if !ok || p.Start != next || p.Start+p.Length > len(m.Bytes) || !bytes.Equal(content, m.Bytes[p.Start:p.Start+p.Length]) {
			d.t.Errorf("bytes %d to %d of a Send of %d are not at %+v", p.Start, p.Start+p.Length, len(m.Bytes), p.Place)
			return
		}
		if !slices.Contains(m.Frames, p.Ref) && len(m.Frames) < track.MaxPieces {
			d.t.Errorf("%+v is in none of the frames %v", p, m.Frames)
		}
		next += p.Length
	}
	if next != len(m.Bytes) && len(m.Pieces) < track.MaxPieces {
		d.t.Errorf("of a Send of %d bytes the first %d have a place", len(m.Bytes), next)
	}
}

// names holds the place of a header that names memory against the frames. The
// bytes of an STag and TO stand after skip others.
func (d *recorder) names(c *flow.Conn, p flow.Place, handle uint32, offset uint64, skip int, exact bool) {
	if d.frames == nil {
		return
	}
	b, ok := d.at(p)
	if !ok {
		d.t.Errorf("what names handle 0x%x is said to be at %+v", handle, p)
		return
	}
	want := 16 // the RETH
	if c.IWARP() {
		want = skip + 12
	}
	if len(b) != want {
		if len(b) > want || !c.IWARP() {
			d.t.Errorf("what names handle 0x%x has %d bytes, want %d", handle, len(b), want)
		}
		d.parted++
		return
	}
	var gotHandle uint32
	var gotOffset uint64
	if c.IWARP() {
		gotHandle, gotOffset = binary.BigEndian.Uint32(b[skip:]), binary.BigEndian.Uint64(b[skip+4:])
	} else {
		gotOffset, gotHandle = binary.BigEndian.Uint64(b), binary.BigEndian.Uint32(b[8:])
	}
	if gotHandle != handle || exact && gotOffset != offset {
		d.t.Errorf("at %+v stands handle 0x%x, 0x%x; told were 0x%x, 0x%x", p, gotHandle, gotOffset, handle, offset)
	}
	d.named++
}

// begins holds that an RDMA Write message is reported to begin where the one of its
// handle does, and with all that nothing else begins it: each handle has one.
func (d *recorder) begins(all bool, first func(handle uint32) (offset uint64)) {
	d.t.Helper()
	for _, w := range d.writes {
		at := w.offset == first(w.handle)
		if w.start && !at || all && at && !w.start && w.length > 0 {
			d.t.Errorf("frame %d: the Write of %d bytes to 0x%x behind handle 0x%x begins a message: %v", w.frame, w.length, w.offset, w.handle, w.start)
		}
	}
}
