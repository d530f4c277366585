package annotate

import (
	"encoding/binary"
	"io"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// Magic numbers of pcap, draft-ietf-opsawg-pcap section 4; package capture takes no
// others.
const (
	pcapMicro    = 0xa1b2c3d4
	pcapNano     = 0xa1b23c4d
	pcapModified = 0xa1b2cd34 // microseconds, and longer record headers
)

// pcapHeader is the length of a pcap file header in bytes.
const pcapHeader = 24

// pcap copies a pcap file.
func (c *copier) pcap() error {
	h, err := c.in.read(pcapHeader)
	if err != nil {
		return err
	}
	c.order = binary.LittleEndian
	magic := c.order.Uint32(h)
	if magic != pcapMicro && magic != pcapNano && magic != pcapModified {
		c.order = binary.BigEndian
		magic = c.order.Uint32(h)
	}
	resolution, perSecond, header := byte(6), uint64(1e6), 16
	switch magic {
	case pcapNano:
		resolution, perSecond = 9, 1e9
	case pcapModified:
		header = 24
	}
	if err := c.pcapInterface(uint16(c.order.Uint32(h[20:])), c.order.Uint32(h[16:]), resolution); err != nil {
		return err
	}
	var f capture.Frame
	for {
		if err := c.frames.Next(&f); err == io.EOF {
			return nil
		} else if err != nil {
			c.result.Fault = err
			return nil
		}
		if c.in.at != f.Offset {
			return errChanged
		}
		h, err := c.in.read(header)
		if err != nil {
			return err
		}
		captured := c.order.Uint32(h[8:])
		// Of a record that no link carries package capture gives the first bytes, and
		// so does the copy.
		if int64(captured) < int64(len(f.Data)) {
			return errChanged
		}
		ticks := uint64(c.order.Uint32(h))*perSecond + uint64(c.order.Uint32(h[4:]))
		if err := c.pcapPacket(&f, ticks, c.order.Uint32(h[12:])); err != nil {
			return err
		}
		if err := c.in.skip(int(captured)); err != nil {
			return err
		}
	}
}

// pcapInterface writes the headers of section and interface.
func (c *copier) pcapInterface(linkType uint16, snaplen uint32, resolution byte) error {
	b := c.comment(pcapng.BeginSection(c.block[:0], c.order), nil, c.comments.File, 0)
	if err := c.endFile(b); err != nil {
		return err
	}
	b = pcapng.BeginInterface(c.block[:0], c.order, linkType, snaplen, resolution)
	return c.endFile(pcapng.EndOptions(b, c.order))
}

// pcapPacket writes a frame. Length is what the record states for the frame on the
// wire.
func (c *copier) pcapPacket(f *capture.Frame, ticks uint64, length uint32) error {
	b := pcapng.BeginPacket(c.block[:0], c.order, pcapng.Packet{Ticks: ticks, Length: length}, f.Data)
	b = c.comment(b, nil, c.comments.Frames[f.Number], f.Number)
	c.result.Frames++
	return c.endFile(b)
}
