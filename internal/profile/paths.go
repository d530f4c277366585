package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"path"
)

// stringTable is the number of the field of a profile (profile.proto) that holds
// its strings.
const stringTable = 6

// Wire types of Protocol Buffers that profiles have at their top.
const (
	wireVarint = 0
	wireLength = 2
)

var errMalformed = errors.New("this is no profile as pprof writes it")

// withoutPaths leaves of each file's path the last part, in a compressed profile:
// where somebody's folders are is nobody else's business, and the compiler goes by
// the names of functions.
func withoutPaths(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	in, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var out []byte
	for len(in) > 0 {
		tag, n := binary.Uvarint(in)
		value, m := binary.Uvarint(in[max(n, 0):])
		if n <= 0 || m <= 0 {
			return nil, errMalformed
		}
		field := in[n+m:]
		switch tag & 7 {
		case wireVarint:
			field = nil
		case wireLength:
			if value > uint64(len(field)) {
				return nil, errMalformed
			}
			field = field[:value]
		default:
			return nil, errMalformed
		}
		in = in[n+m+len(field):]
		if tag>>3 == stringTable && path.IsAbs(string(field)) {
			field = []byte(path.Base(string(field)))
			value = uint64(len(field))
		}
		out = binary.AppendUvarint(out, tag)
		out = binary.AppendUvarint(out, value)
		out = append(out, field...)
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(out); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
