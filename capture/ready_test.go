package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
)

// numbered makes a pcap file of frames that say their number all over.
func numbered(frames, size int) []byte {
	file := []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00")
	for i := range uint32(frames) {
		le := binary.LittleEndian
		file = le.AppendUint32(file, i)
		file = le.AppendUint32(file, 0)
		file = le.AppendUint32(file, uint32(size))
		file = le.AppendUint32(file, uint32(size))
		for range size / 4 {
			file = le.AppendUint32(file, i)
		}
	}
	return file
}

// says reports whether a frame still says its number.
func says(f *Frame) bool {
	for b := f.Data; len(b) >= 4; b = b[4:] {
		if binary.LittleEndian.Uint32(b) != uint32(f.Number-1) {
			return false
		}
	}
	return true
}

func TestKeep(t *testing.T) {
	const frames, size, calls = 20_000, 400, 3
	file := numbered(frames, size)
	open := func() Source {
		f, err := NewReader(bytes.NewReader(file), "numbered", 0)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, source := range map[string]Source{
		"one file":  open(),
		"two files": Merge([]Source{open(), open()}),
	} {
		t.Run(name, func(t *testing.T) {
			if !source.(Keeper).Keep(calls) {
				t.Fatal("it cannot keep frames")
			}
			// Frames by the number of calls, while not ready, that they came with.
			kept := [][]Frame{nil}
			given := 0
			for {
				if !source.(Ready).Ready() {
					kept = append(kept, nil)
				}
				var f Frame
				if err := source.Next(&f); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				given++
				last := len(kept) - 1
				kept[last] = append(kept[last], f)
				if first := last - calls; first >= 0 && len(kept[last]) == 1 {
					for i := range kept[first] {
						if g := &kept[first][i]; !says(g) {
							t.Fatalf("frame %d was overwritten when frame %d came, %d calls later", g.Number, f.Number, calls)
						}
					}
					kept[first] = nil
				}
			}
			if given < frames || len(kept) < 2*calls {
				t.Errorf("%d frames in %d calls: too few to show anything", given, len(kept))
			}
		})
	}
}

func TestKeepNeedsAllSources(t *testing.T) {
	f, err := NewReader(bytes.NewReader(numbered(3, 8)), "numbered", 0)
	if err != nil {
		t.Fatal(err)
	}
	if Merge([]Source{f, plainSource{}}).(Keeper).Keep(1) {
		t.Error("a merge keeps frames of a source that cannot")
	}
}

type plainSource struct{}

func (plainSource) Next(*Frame) error { return io.EOF }
