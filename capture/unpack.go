package capture

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow is how far back in its output, in bytes, a zstd file may refer, and so
// what its decoder must hold: what RFC 8878, section 3.1.1.1.2, asks of every decoder, and
// all that the zstd command uses without --long and --ultra.
const maxZstdWindow = 8 << 20

// packedBuffer is how many bytes of compressed data are read at a time.
const packedBuffer = 64 << 10

// unpack sets the window over the uncompressed bytes.
func (r *File) unpack() error {
	plain, end, err := Unpack(r.below)
	if err != nil {
		r.win.err = err
		return r.stopped(0)
	}
	r.close = append(r.close, func() error { end(); return nil })
	r.win.r = plain
	return nil
}

// Unpack returns the uncompressed bytes of a file, and what is to be called when
// nobody reads them any more. It looks at the first four bytes: gzip is RFC 1952
// section 2.3.1, zstd RFC 8878 section 3.1. Anything else is given as it is.
//
// For errors of compressed data, from Unpack and from what it returns,
// errors.Is(err, io.ErrUnexpectedEOF) holds: they end too early, are broken, or refer
// back further than 8 MiB, as with zstd --long.
func Unpack(from io.Reader) (plain io.Reader, end func(), err error) {
	// No more than four: a pipe may have no more to give for now.
	head := make([]byte, 4)
	n, err := io.ReadFull(from, head)
	head = head[:n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, err
	}
	all := io.MultiReader(bytes.NewReader(head), from)
	switch {
	case len(head) < 4:
	case head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(bufio.NewReaderSize(all, packedBuffer))
		if err != nil {
			return nil, nil, packedErr("gzip", err)
		}
		return &unpacker{"gzip", z}, func() {}, nil
	case string(head) == "\x28\xb5\x2f\xfd",
		head[0]&0xf0 == 0x50 && string(head[1:]) == "\x2a\x4d\x18": // a skippable frame first, as pzstd writes
		z, err := zstd.NewReader(bufio.NewReaderSize(all, packedBuffer),
			zstd.WithDecoderMaxWindow(maxZstdWindow),
			zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, packedErr("zstd", err)
		}
		return &unpacker{"zstd", z}, z.Close, nil
	}
	return all, func() {}, nil
}

// An unpacker marks the errors of a decompressor.
type unpacker struct {
	format string
	r      io.Reader
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF {
		err = packedErr(u.format, err)
	}
	return n, err
}
