package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A byteOrder writes the numbers of the files that the tests build. It is the
// library's, not ours, so that a mistake of ours shows.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// byteOrders are the two that a file may have.
var byteOrders = []byteOrder{binary.LittleEndian, binary.BigEndian}

// pcapHead is the header of a pcap file of version 2.4.
func pcapHead(o byteOrder, magic, snaplen, linkType uint32) []byte {
	b := o.AppendUint32(nil, magic)
	b = o.AppendUint16(b, 2)
	b = o.AppendUint16(b, 4)
	b = append(b, make([]byte, 8)...)
	b = o.AppendUint32(b, snaplen)
	return o.AppendUint32(b, linkType)
}

// pcapRecord is one record; extra stands between its header and data.
func pcapRecord(o byteOrder, seconds, fraction, length uint32, data, extra string) []byte {
	b := o.AppendUint32(nil, seconds)
	b = o.AppendUint32(b, fraction)
	b = o.AppendUint32(b, uint32(len(data)))
	b = o.AppendUint32(b, length)
	return append(append(b, extra...), data...)
}

// ngBlock is one pcapng block with a body that is filled up to 32 bits.
func ngBlock(o byteOrder, kind uint32, body []byte) []byte {
	body = pad(body)
	b := o.AppendUint32(nil, kind)
	b = o.AppendUint32(b, uint32(len(body)+12))
	b = append(b, body...)
	return o.AppendUint32(b, uint32(len(body)+12))
}

func pad(b []byte) []byte {
	return append(bytes.Clone(b), make([]byte, -len(b)&3)...)
}

func ngOption(o byteOrder, code uint16, value []byte) []byte {
	b := o.AppendUint16(nil, code)
	b = o.AppendUint16(b, uint16(len(value)))
	return pad(append(b, value...))
}

func ngSection(o byteOrder, length int64) []byte {
	b := o.AppendUint32(nil, 0x1a2b3c4d)
	b = o.AppendUint16(b, 1)
	b = o.AppendUint16(b, 0)
	return ngBlock(o, 0x0a0d0d0a, o.AppendUint64(b, uint64(length)))
}

func ngInterface(o byteOrder, linkType uint16, snaplen uint32, options ...[]byte) []byte {
	b := o.AppendUint16(nil, linkType)
	b = o.AppendUint16(b, 0)
	b = o.AppendUint32(b, snaplen)
	return ngBlock(o, 1, append(b, bytes.Join(options, nil)...))
}

func ngEnhanced(o byteOrder, id uint32, ticks uint64, length uint32, data string, options ...[]byte) []byte {
	b := o.AppendUint32(nil, id)
	return ngBlock(o, 6, ngPacketBody(o, b, ticks, length, data, options))
}

func ngOldPacket(o byteOrder, id, drops uint16, ticks uint64, length uint32, data string, options ...[]byte) []byte {
	b := o.AppendUint16(nil, id)
	b = o.AppendUint16(b, drops)
	return ngBlock(o, 2, ngPacketBody(o, b, ticks, length, data, options))
}

func ngPacketBody(o byteOrder, b []byte, ticks uint64, length uint32, data string, options [][]byte) []byte {
	b = o.AppendUint32(b, uint32(ticks>>32))
	b = o.AppendUint32(b, uint32(ticks))
	b = o.AppendUint32(b, uint32(len(data)))
	b = o.AppendUint32(b, length)
	b = append(b, pad([]byte(data))...)
	return append(b, bytes.Join(options, nil)...)
}

func ngSimple(o byteOrder, length uint32, data string) []byte {
	return ngBlock(o, 3, append(o.AppendUint32(nil, length), data...))
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstandard(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(b, nil)
}

// open reads the header of a file made of these bytes, named "F".
func open(t testing.TB, r io.Reader) *File {
	t.Helper()
	f, err := NewReader(r, "F", 0)
	if err != nil {
		t.Fatalf("NewReader: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// drain reads a source to its end; the frames' data are copies. The error is
// nil where the end was io.EOF.
func drain(t testing.TB, s Source) (frames []Frame, err error) {
	t.Helper()
	for {
		var f Frame
		if err := s.Next(&f); err == io.EOF {
			return frames, nil
		} else if err != nil {
			if again := s.Next(&f); again != io.EOF {
				t.Fatalf("after the error %q Next gives %v, want io.EOF", err, again)
			}
			return frames, err
		}
		f.Data = bytes.Clone(f.Data)
		frames = append(frames, f)
	}
}

// readAll opens and drains the file.
func readAll(t testing.TB, file []byte) ([]Frame, error) {
	t.Helper()
	f, err := NewReader(bytes.NewReader(file), "F", 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return drain(t, f)
}

// mustRead is readAll of a file in which nothing is wrong.
func mustRead(t testing.TB, file []byte) []Frame {
	t.Helper()
	frames, err := readAll(t, file)
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

// asError is err as the *Error that it must be.
func asError(t testing.TB, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want an *Error", err, err)
	}
	return e
}
