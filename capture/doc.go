// Package capture reads frames out of capture files: pcap and pcapng, as they
// are or compressed with gzip or zstd, from a disk or from a pipe that is still
// being written.
//
//	file, pipe ──> gzip, zstd ──> window ──> pcap   ──> Frame ──┐
//	(bytes)       (if packed)    (slides)   pcapng ──> Frame ──┴> Merge ──> capture/link
//
// What a file is shows in its first bytes; its name does not matter. The
// window is one buffer that slides over the file. A frame's Data is a slice of
// it, so reading a frame copies nothing and allocates nothing, and costs little
// more than bringing the bytes into memory. A frame is given as soon as the
// last byte of its record is there.
//
// # pcap
//
// A file header of 24 bytes, then records. The magic number tells the byte
// order of every number in the file, and the unit of the fraction. From
// draft-ietf-opsawg-pcap, sections 4 and 5:
//
//	 0                   4                   8       bytes
//	+-------------------+---------+---------+
//	| magic             | major 2 | minor 4 |
//	+-------------------+---------+---------+
//	| reserved          | reserved          |
//	+-------------------+---------+---------+
//	| snap length       | FCS ... | link    |   the link type is the low half
//	+-------------------+---------+---------+   of the last 32-bit number
//
//	+-------------------+-------------------+
//	| seconds           | fraction          |   micro- or nanoseconds
//	+-------------------+-------------------+
//	| captured length   | length on the wire|
//	+-------------------+-------------------+
//	| captured bytes, without padding ...
//
//	a1b2c3d4  microseconds
//	a1b23c4d  nanoseconds
//	a1b2cd34  microseconds, and 8 more bytes in each record header
//	          (Kuznetzov's libpcap: interface, protocol, packet type)
//
// # pcapng
//
// A row of blocks, all of one shape. From draft-ietf-opsawg-pcapng, sections 3
// and 4:
//
//	+-------------------+-------------------+
//	| type              | total length      |   of the whole block, 12 at least,
//	+-------------------+-------------------+   a multiple of 4
//	| body, options ...                     |
//	+-------------------+-------------------+
//	| total length      |                       the same again
//	+-------------------+
//
//	0a0d0d0a  Section Header     byte order of the section; its interfaces
//	                             are counted from 0 again
//	00000001  Interface          link type, snap length, unit of its times
//	00000006  Enhanced Packet    interface, time, lengths, bytes, comments
//	00000003  Simple Packet      length, bytes; of interface 0, without time
//	00000002  Packet             the older form of Enhanced Packet
//
// Blocks of any other type are passed over. So are packets of an interface that
// their section has not described, of which an *Error at the end tells. A section
// ends where the next one begins or the file does, whatever length its header
// states.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change. The packages below this one,
// except for link, promise nothing.
package capture
