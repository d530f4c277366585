package capture

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestZstdWindow: how far back compressed data may refer, and so what it takes to unpack them, has
// a limit, and the error says what to do.
func TestZstdWindow(t *testing.T) {
	for window, good := range map[int]bool{maxZstdWindow: true, 2 * maxZstdWindow: false} {
		var packed bytes.Buffer
		z, err := zstd.NewWriter(&packed, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(false))
		if err != nil {
			t.Fatal(err)
		}
		frame := strings.Repeat("frame", 10_000)
		parts := [][]byte{pcapHead(binary.LittleEndian, 0xa1b2c3d4, 0, ethernet)}
		for range 2 * window / len(frame) {
			parts = append(parts, pcapRecord(binary.LittleEndian, 1, 1, uint32(len(frame)), frame, ""))
		}
		if _, err := z.Write(join(parts...)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := NewReader(&packed, "F", 0)
		if err == nil {
			_, err = drain(t, f)
		}
		if refused := err != nil && strings.Contains(err.Error(), "refer back further than 8 MiB"); refused == good || good && err != nil {
			t.Errorf("a window of %d bytes: %v", window, err)
		}
	}
}
