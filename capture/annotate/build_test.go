package annotate

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// orders are the two byte orders that a file may have.
var orders = []order{binary.LittleEndian, binary.BigEndian}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func pad(b []byte) []byte { return append(bytes.Clone(b), make([]byte, -len(b)&3)...) }

// block is one pcapng block.
func block(o order, kind uint32, parts ...[]byte) []byte {
	body := pad(join(parts...))
	b := o.AppendUint32(nil, kind)
	b = o.AppendUint32(b, uint32(len(body)+12))
	return o.AppendUint32(append(b, body...), uint32(len(body)+12))
}

func opt(o order, code uint16, value string) []byte {
	b := o.AppendUint16(nil, code)
	b = o.AppendUint16(b, uint16(len(value)))
	return pad(append(b, value...))
}

func section(o order, length uint64, options ...[]byte) []byte {
	b := o.AppendUint32(nil, 0x1a2b3c4d)
	b = o.AppendUint16(b, 1)
	b = o.AppendUint16(b, 0)
	return block(o, 0x0a0d0d0a, o.AppendUint64(b, length), join(options...))
}

func iface(o order, linkType uint16, snaplen uint32, options ...[]byte) []byte {
	b := o.AppendUint16(nil, linkType)
	b = o.AppendUint16(b, 0)
	return block(o, 1, o.AppendUint32(b, snaplen), join(options...))
}

func enhanced(o order, id uint32, ticks uint64, length uint32, data string, options ...[]byte) []byte {
	return block(o, 6, o.AppendUint32(nil, id), packetBody(o, ticks, length, data), join(options...))
}

func oldPacket(o order, id, drops uint16, ticks uint64, length uint32, data string, options ...[]byte) []byte {
	return block(o, 2, o.AppendUint16(nil, id), o.AppendUint16(nil, drops), packetBody(o, ticks, length, data), join(options...))
}

func packetBody(o order, ticks uint64, length uint32, data string) []byte {
	b := o.AppendUint32(nil, uint32(ticks>>32))
	b = o.AppendUint32(b, uint32(ticks))
	b = o.AppendUint32(b, uint32(len(data)))
	b = o.AppendUint32(b, length)
	return append(b, pad([]byte(data))...)
}

func simple(o order, length uint32, data string) []byte {
	return block(o, 3, o.AppendUint32(nil, length), []byte(data))
}

func pcapHead(o order, magic, snaplen, linkType uint32) []byte {
	b := o.AppendUint32(nil, magic)
	b = o.AppendUint16(b, 2)
	b = o.AppendUint16(b, 4)
	b = append(b, make([]byte, 8)...)
	return o.AppendUint32(o.AppendUint32(b, snaplen), linkType)
}

// pcapRecord is one record; extra stands between its header and data.
func pcapRecord(o order, seconds, fraction, length uint32, data, extra string) []byte {
	b := o.AppendUint32(nil, seconds)
	b = o.AppendUint32(b, fraction)
	b = o.AppendUint32(b, uint32(len(data)))
	b = o.AppendUint32(b, length)
	return append(append(b, extra...), data...)
}

// names is a name resolution block with one name.
func names(o order) []byte {
	return block(o, 4, opt(o, 1, "\x0a\x00\x00\x01server\x00"), opt(o, 0, ""))
}

// everything is a pcapng file with all that one may have: two sections of either
// byte order, units and offsets of time, comments, flags, blocks of other types.
func everything(o, second order) []byte {
	return join(
		section(o, 4711, opt(o, 4, "dumper"), opt(o, 1, "taken at the switch"), opt(o, 0, "")),
		iface(o, 1, 0, opt(o, 2, "eth0"), opt(o, 9, "\x09"), opt(o, 14, string(o.AppendUint64(nil, 1_000_000_000))), opt(o, 0, "")),
		iface(o, 1, 96, opt(o, 2, "eth1"), opt(o, 9, "\x8a"), opt(o, 0, "")),
		enhanced(o, 0, 1, 60, "first frame"),
		names(o),
		enhanced(o, 1, 1<<40, 4, "cut.", opt(o, 1, "from before"), opt(o, 2, "\x01\x00\x00\x00"), opt(o, 1, "and another"), opt(o, 0, "")),
		simple(o, 5, "plain"),
		oldPacket(o, 1, 7, 99, 8, "ancient!", opt(o, 2, "\x02\x00\x00\x00"), opt(o, 1, "old"), opt(o, 0, "")),
		oldPacket(o, 0, 0xffff, 99, 3, "old"),
		oldPacket(o, 0, 0, 99, 3, "odd", opt(o, 77, "no such option")),
		block(o, 0x80000bad, []byte("some vendor's own")),
		section(second, 1<<64-1),
		iface(second, 228, 0),
		block(second, 5, make([]byte, 12)),
		enhanced(second, 0, 1_700_000_000_000_000, 9, "in micros", opt(second, 1, "no end of options")),
		enhanced(second, 0, 5, 9, "malformed", opt(second, 1, "fine"), []byte("\xff\xff\xff\xff")),
		block(second, 10, []byte("secrets")),
	)
}

// comments are n frames' worth of them.
func comments(n int) Comments {
	c := Comments{File: []string{"2 errors"}, Frames: make(map[int64][]string)}
	for i := range n {
		c.Frames[int64(i+1)] = []string{"one of it", "two\nlines of it"}
	}
	return c
}

// frames reads a capture, up to so many frames.
func frames(t testing.TB, file []byte, most int) (list []capture.Frame, err error) {
	t.Helper()
	r, err := capture.NewReader(bytes.NewReader(file), "F", 0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for len(list) < most {
		var f capture.Frame
		if err := r.Next(&f); err == io.EOF {
			break
		} else if err != nil {
			return list, err
		}
		f.Data = bytes.Clone(f.Data)
		list = append(list, f)
	}
	return list, nil
}

// annotated copies a capture.
func annotated(t testing.TB, file []byte, c Comments) ([]byte, Result) {
	t.Helper()
	var out bytes.Buffer
	r, err := Copy(&out, bytes.NewReader(file), "F", c)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), r
}

// unpackedSample is a capture that ships, uncompressed.
func unpackedSample(t testing.TB, name string) []byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	file, err := z.DecodeAll(shipped.File(t, name), nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
