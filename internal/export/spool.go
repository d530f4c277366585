package export

import (
	"os"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Limits of the spool, which is as large as what is in flight: calls whose reply
// was not seen, times what their chunks brought so far.
const (
	blockSize = 16 << 10 // bytes
	inMemory  = 64 << 20 / blockSize
	// maxBlocks is what memory and file hold together: 16 GiB.
	maxBlocks = 1 << 20
)

// A spool keeps the bytes of chunks until the RPC that they are of has ended:
// in blocks, of which the first are in memory and the others in a file.
type spool struct {
	dir    string
	rpcs   map[*dissect.RPC]blocks
	memory [][]byte
	free   []int32
	used   int32 // blocks that were ever taken; those in free among them
	file   *os.File
	buf    []byte
	// Dropped counts bytes for which there was no room.
	dropped uint64
}

// blocks are those of an RPC, by the block of the chunk that they hold.
type blocks map[blockKey]int32

// A blockKey names blockSize bytes of a chunk.
type blockKey struct {
	purpose rpcrdma.Purpose
	chunk   int
	index   uint64 // offset in the chunk, in blocks
}

func newSpool(dir string) *spool {
	return &spool{dir: dir, rpcs: make(map[*dissect.RPC]blocks), buf: make([]byte, blockSize)}
}

// spoolData keeps bytes of a chunk, from its byte at on.
func (s *spool) spoolData(r *dissect.RPC, p rpcrdma.Purpose, chunk int, at uint64, content []byte) error {
	of := s.rpcs[r]
	if of == nil {
		of = make(blocks)
		s.rpcs[r] = of
	}
	for len(content) > 0 {
		key := blockKey{p, chunk, at / blockSize}
		within := int(at % blockSize)
		n := min(len(content), blockSize-within)
		block, ok := of[key]
		if !ok {
			if block, ok = s.takeBlock(); ok {
				of[key] = block
			}
		}
		if !ok {
			s.dropped += uint64(n)
		} else if err := s.write(block, within, content[:n]); err != nil {
			return err
		}
		at, content = at+uint64(n), content[n:]
	}
	return nil
}

// get calls f for the bytes [at, end) of a chunk, all of which were put, in
// pieces; with nil for those that had no room.
func (s *spool) get(r *dissect.RPC, p rpcrdma.Purpose, chunk int, at, end uint64, f func(n uint64, data []byte) error) error {
	of := s.rpcs[r]
	for at < end {
		within := int(at % blockSize)
		n := min(end-at, uint64(blockSize-within))
		var content []byte
		if block, ok := of[blockKey{p, chunk, at / blockSize}]; ok {
			var err error
			if content, err = s.read(block, within, int(n)); err != nil {
				return err
			}
		}
		if err := f(n, content); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// forget gives back what an RPC has.
func (s *spool) forget(r *dissect.RPC) {
	if of, ok := s.rpcs[r]; ok {
		for _, block := range of {
			s.free = append(s.free, block)
		}
		delete(s.rpcs, r)
	}
}

func (s *spool) takeBlock() (block int32, ok bool) {
	if n := len(s.free); n > 0 {
		block, s.free = s.free[n-1], s.free[:n-1]
		return block, true
	}
	if s.used == maxBlocks {
		return 0, false
	}
	s.used++
	return s.used - 1, true
}

func (s *spool) write(block int32, at int, content []byte) error {
	if block < inMemory {
		for int(block) >= len(s.memory) {
			s.memory = append(s.memory, make([]byte, blockSize))
		}
		copy(s.memory[block][at:], content)
		return nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, ".spool-*")
		if err != nil {
			return err
		}
		s.file = f
		os.Remove(f.Name()) // where a file in use cannot be, close does it
	}
	_, err := s.file.WriteAt(content, place(block, at))
	return err
}

// read returns bytes of a block, valid until the next read.
func (s *spool) read(block int32, at, n int) ([]byte, error) {
	if block < inMemory {
		return s.memory[block][at : at+n], nil
	}
	_, err := s.file.ReadAt(s.buf[:n], place(block, at))
	return s.buf[:n], err
}

// place is where a block's byte stands in the file.
func place(block int32, at int) int64 { return int64(block-inMemory)*blockSize + int64(at) }

// close removes the file, if there is one.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()           // nobody wants what is in it
		os.Remove(s.file.Name()) // mostly it is gone already
		s.file = nil
	}
}
