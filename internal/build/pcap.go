package build

import (
	"encoding/binary"
	"io"
)

// WritePcap writes a capture file with nanoseconds, little-endian, of link
// type Ethernet.
func WritePcap(w io.Writer, frames Frames) error {
	const linkEthernet = 1
	return WritePcapOf(w, linkEthernet, frames)
}

// WritePcapOf writes a capture file as WritePcap does, of any link type (the
// LINKTYPE_ numbers of draft-ietf-opsawg-pcaplinktype).
func WritePcapOf(w io.Writer, link uint32, frames Frames) error {
	const (
		nanoseconds = 0xa1b23c4d
		snapLength  = 262144
	)
	le := binary.LittleEndian
	b := le.AppendUint32(nil, nanoseconds)
	b = le.AppendUint16(b, 2)
	b = le.AppendUint16(b, 4)
	for _, word := range []uint32{0, 0, snapLength, link} {
		b = le.AppendUint32(b, word)
	}
	for _, f := range frames {
		b = le.AppendUint32(b, uint32(f.Time.Unix()))
		b = le.AppendUint32(b, uint32(f.Time.Nanosecond()))
		b = le.AppendUint32(b, uint32(len(f.Data)))
		b = le.AppendUint32(b, uint32(max(f.Length, len(f.Data))))
		b = append(b, f.Data...)
	}
	_, err := w.Write(b)
	return err
}
