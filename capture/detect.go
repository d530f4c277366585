package capture

import (
	"fmt"
	"io"
	"strings"
)

// detect reads the file's header, by the magic number that it begins with.
func (r *File) detect() (err error) {
	head := r.win.peek(4)
	if len(head) < 4 {
		switch {
		case r.win.err != io.EOF:
			return r.stopped(0)
		case len(head) == 0:
			return r.bad(0, "the file is empty")
		}
		return r.foreign(head)
	}
	if string(head) == sectionMagic {
		r.format, err = newPcapng(r)
		return err
	}
	for _, o := range []order{littleEndian, bigEndian} {
		if v := variantOf(o.u32(head)); v != nil {
			r.format, err = newPcap(r, o, v)
			return err
		}
	}
	return r.foreign(r.win.peek(12))
}

// strangers are files that people take for captures we read, or that are
// captures in a format we do not, by their first bytes.
var strangers = []struct{ magic, what, hint string }{
	{"snoop\x00\x00\x00", "a snoop capture", convert},
	{"iptrace ", "an AIX iptrace capture", convert},
	{"TRSNIFF data", "a Sniffer capture", convert},
	{"XCP\x00", "a NetXRay capture", convert},
	{"RTSS", "a Network Monitor capture", convert},
	{"GMBU", "a Network Monitor capture", convert},
	{"\xfd7zXZ\x00", "xz-compressed", decompress},
	{"BZh", "bzip2-compressed", decompress},
	{"\x04\x22\x4d\x18", "lz4-compressed", decompress},
	{"\x1f\x8b", "compressed with gzip twice", "decompress it once first"},
	{"\x28\xb5\x2f\xfd", "compressed twice, with zstd inside", "decompress it once first"},
	{"PK\x03\x04", "a zip archive", "take the capture out of it first"},
}

// foreign is the error for a file that begins with head and is not ours.
func (r *File) foreign(head []byte) error {
	for _, s := range strangers {
		if strings.HasPrefix(string(head), s.magic) {
			return r.bad(0, "is %s; %s", s.what, s.hint)
		}
	}
	return r.bad(0, "not a pcap or pcapng file (it begins with %s)", fmt.Sprintf("% x", head[:min(4, len(head))]))
}
