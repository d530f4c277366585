package export

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// pattern is n bytes that tell chunks and offsets apart.
func pattern(chunk, n int) []byte {
	b := make([]byte, 0, n+8)
	for at := 0; at < n; at += 8 {
		b = binary.BigEndian.AppendUint64(b, uint64(chunk)<<32|uint64(at))
	}
	return b[:n]
}

func (s *spool) all(t *testing.T, r *dissect.RPC, chunk, n int) (got []byte) {
	t.Helper()
	err := s.get(r, rpcrdma.ForWrite, chunk, 0, uint64(n), func(n uint64, content []byte) error {
		if uint64(len(content)) != n {
			t.Fatalf("%d bytes, want %d", len(content), n)
		}
		got = append(got, content...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestSpool holds that a spool gives back what was put into it, in memory and
// in its file, that what is forgotten makes room, and that no file is left.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	s := newSpool(dir)
	const chunk, chunks = 1<<20 + 5, inMemory*blockSize>>20 + 8
	for round := range 2 {
		rpcs := make([]*dissect.RPC, chunks)
		for i := range rpcs {
			rpcs[i] = new(dissect.RPC)
			content := pattern(i, chunk)
			for at := chunk; at > 0; { // from the end, in pieces across blocks
				from := max(0, at-30_011)
				if err := s.spoolData(rpcs[i], rpcrdma.ForWrite, 1, uint64(from), content[from:at]); err != nil {
					t.Fatal(err)
				}
				at = from
			}
		}
		if s.file == nil {
			t.Fatal("nothing went into the file")
		}
		for i, r := range rpcs {
			if !bytes.Equal(s.all(t, r, 1, chunk), pattern(i, chunk)) {
				t.Fatalf("round %d: chunk %d is not as it was put", round, i)
			}
			s.forget(r)
		}
		if len(s.rpcs) != 0 || len(s.free) != int(s.used) || len(s.memory) != inMemory {
			t.Errorf("%d RPCs are kept, %d of %d blocks free, %d in memory", len(s.rpcs), len(s.free), s.used, len(s.memory))
		}
	}
	s.close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left in the folder: %v, %v", entries, err)
	}
}

// TestSpoolFull holds that bytes for which there is no room are counted, and
// not made up.
func TestSpoolFull(t *testing.T) {
	s := newSpool(t.TempDir())
	s.used = maxBlocks
	s.free = []int32{0}
	r := new(dissect.RPC)
	if err := s.spoolData(r, rpcrdma.ForWrite, 0, 0, pattern(0, blockSize+7)); err != nil {
		t.Fatal(err)
	}
	var had, lacked uint64
	err := s.get(r, rpcrdma.ForWrite, 0, 0, blockSize+7, func(n uint64, content []byte) error {
		if content == nil {
			lacked += n
		} else {
			had += n
		}
		return nil
	})
	if err != nil || had != blockSize || lacked != 7 || s.dropped != 7 {
		t.Errorf("%d bytes kept, %d not, %d counted, %v", had, lacked, s.dropped, err)
	}
}
