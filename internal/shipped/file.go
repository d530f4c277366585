package shipped

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/gopacket/pcapgo"
	"github.com/klauspost/compress/zstd"
)

// File is the sample's file as it ships: compressed with zstd.
func File(tb testing.TB, name string) []byte {
	tb.Helper()
	root, err := os.Getwd() // a test runs in the folder of its package
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			tb.Fatal("no go.mod in this folder or above it")
		}
		root = filepath.Dir(root)
	}
	file, err := os.ReadFile(filepath.Join(root, "samples", name+".pcap.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

// unpack gives the sample's pcap or pcapng file to f.
func unpack(tb testing.TB, name string, f func(io.Reader)) {
	tb.Helper()
	z, err := zstd.NewReader(bytes.NewReader(File(tb, name)), zstd.WithDecoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	f(z)
}

// Whole is the sample's pcap or pcapng file, unpacked.
func Whole(tb testing.TB, name string) (file []byte) {
	tb.Helper()
	unpack(tb, name, func(r io.Reader) {
		var err error
		if file, err = io.ReadAll(r); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
	})
	return file
}

// Unpacked is the first n bytes of the sample's pcap or pcapng file.
func Unpacked(tb testing.TB, name string, n int) []byte {
	tb.Helper()
	data := make([]byte, n)
	unpack(tb, name, func(r io.Reader) {
		if _, err := io.ReadFull(r, data); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
	})
	return data
}

// Frames is the sample's first n frames: Ethernet, from a pcap file.
func Frames(tb testing.TB, name string, n int) [][]byte {
	tb.Helper()
	return take(tb, name, n, func(frame []byte) ([]byte, bool) { return frame, true })
}

// take is the first n parts that want finds in the sample's frames.
func take(tb testing.TB, name string, n int, want func(frame []byte) ([]byte, bool)) (parts [][]byte) {
	tb.Helper()
	unpack(tb, name, func(r io.Reader) {
		file, err := pcapgo.NewReader(r)
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		for len(parts) < n {
			frame, _, err := file.ReadPacketData()
			if err != nil {
				tb.Fatalf("%s has %d of the %d wanted: %v", name, len(parts), n, err)
			}
			if part, ok := want(frame); ok {
				parts = append(parts, part)
			}
		}
	})
	return parts
}
