package ddp

import (
	"slices"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostMarked is how many bytes of a body are marked at most.
const mostMarked = 64

// markPosition marks the Position of the first segment of a Read chunk.
func markPosition(f *rules.Finding, m *dissect.Message, position uint32) {
	h := &m.Header
	i := slices.IndexFunc(h.Reads, func(s rpcrdma.ReadSegment) bool { return s.Position == position })
	if i >= 0 {
		f.Word(m, h.PositionAt(i))
	}
}

// markLengths marks the lengths of all segments of a Read chunk.
func markLengths(f *rules.Finding, m *dissect.Message, position uint32) {
	h := &m.Header
	for i := range h.Reads {
		if h.Reads[i].Position == position {
			f.Word(m, h.ReadSegmentAt(i)+rpcrdma.SegmentLength)
		}
	}
}

// markWrite marks the segments of a Write chunk.
func markWrite(f *rules.Finding, m *dissect.Message, chunk int) {
	h := &m.Header
	f.In(m, h.WriteAt(chunk)+rpcrdma.ChunkSize, h.Writes[chunk].Count*rpcrdma.SegmentSize)
}

// markWriteLengths marks the lengths of the segments of a Write chunk.
func markWriteLengths(f *rules.Finding, m *dissect.Message, chunk int) {
	h := &m.Header
	first := h.Writes[chunk].First
	for i := range h.Writes[chunk].Count {
		f.Word(m, h.SegmentAt(first+i)+rpcrdma.SegmentLength)
	}
}

// decimal is a number for a person.
func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
