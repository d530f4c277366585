package script

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/span"
)

// A Segment is a piece of memory that a call advertised, and what RDMA moved of it.
type Segment struct {
	rpcrdma.Segment
	Purpose rpcrdma.Purpose
	// Chunk is the index of its chunk among those of its purpose, Start the place of its
	// first byte in that chunk. Read chunks are counted by ascending Position.
	Chunk    int
	Position uint32 // of a Read chunk
	Start    uint64
	// At is the byte of the Send at which it begins: the handle, and after it length and
	// offset (rpcrdma.SegmentSize).
	At int
	// Data are its first bytes: what RDMA Reads or Writes moved, as captured, and zeroes
	// where none of them did. Moved says which of them were moved. Data may be shorter
	// than Length, never longer.
	Data  []byte
	Moved span.Set
}

// putData keeps bytes from a byte of the segment on, and returns how many more bytes it
// takes in memory.
func (s *Segment) putData(at uint64, data []byte) (more int) {
	if at >= uint64(s.Length) {
		return 0
	}
	data = data[:min(uint64(len(data)), uint64(s.Length)-at)]
	end := at + uint64(len(data))
	if before := cap(s.Data); end > uint64(len(s.Data)) {
		s.Data = append(s.Data, make([]byte, end-uint64(len(s.Data)))...)
		more = cap(s.Data) - before
	}
	copy(s.Data[at:], data)
	s.Moved.Add(at, end)
	return more
}

// first are the first n bytes, with zeroes after those that were moved.
func (s *Segment) first(n uint32) []byte {
	if int64(n) <= int64(len(s.Data)) {
		return s.Data[:n]
	}
	return append(s.Data[:len(s.Data):len(s.Data)], make([]byte, int(n)-len(s.Data))...)
}

// lacks is how many of the first n bytes were not moved.
func (s *Segment) lacks(n uint32) (made uint64) {
	made = uint64(n)
	for _, x := range s.Moved {
		if x.Start < uint64(n) {
			made -= min(x.End, uint64(n)) - x.Start
		}
	}
	return made
}
