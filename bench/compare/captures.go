//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// samples are those that are measured: one of RoCEv2, one of iWARP.
var samples = [...]string{"rxe-basic", "siw-basic"}

// repeat writes an uncompressed capture with the records of a sample that many
// times, or those of its first frames if most is not 0.
func (b *bench) repeat(sample string, times, most int) (path string, frames int, err error) {
	packed, err := os.ReadFile(filepath.Join(b.root, "samples", sample+".pcap.zst"))
	if err != nil {
		return "", 0, err
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		return "", 0, err
	}
	defer z.Close()
	one, err := z.DecodeAll(packed, nil)
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", sample, err)
	}
	end, frames := records(one, most)
	path = filepath.Join(b.folder, fmt.Sprintf("%s-%d-%d.pcap", sample, times, frames))
	file, err := os.Create(path)
	if err != nil {
		return "", 0, err
	}
	_, err = file.Write(one[:fileHeader])
	for range times {
		if err == nil {
			_, err = file.Write(one[fileHeader:end])
		}
	}
	return path, times * frames, errors.Join(err, file.Close())
}

// Bytes of the headers of a pcap file and of a record in it.
const fileHeader, recordHeader = 24, 16

// records finds where the first records of a pcap file end, or all if most is 0, and counts them.
func records(file []byte, most int) (end, n int) {
	end = fileHeader
	for ; end < len(file) && (most == 0 || n < most); n++ {
		end += recordHeader + int(binary.LittleEndian.Uint32(file[end+8:]))
	}
	return end, n
}
