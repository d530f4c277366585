package rpcrdma

import "slices"

// ChunkLength is the number of bytes of the memory that a Write or Reply
// chunk advertises: in a call what may be written, in a reply what was.
func (h *Header) ChunkLength(c Chunk) uint64 {
	sum := uint64(0)
	for _, s := range h.ChunkSegments(c) {
		sum += uint64(s.Length)
	}
	return sum
}

// WriteLength is the ChunkLength of Writes[i], 0 if there is no such chunk.
func (h *Header) WriteLength(i int) uint64 {
	if i >= len(h.Writes) {
		return 0
	}
	return h.ChunkLength(h.Writes[i])
}

// NumReadChunks is the number of Read chunks, for ReadChunk.
func (h *Header) NumReadChunks() int { return len(h.readChunks) }

// ReadChunk returns the i-th Read chunk of a decoded header, in ascending
// order of Position: its Position, and its segments in wire order. A chunk is
// all the segments of one Position (RFC 8166, section 3.4.5); senders put them
// next to one another, but segments that stand apart in the list count as one
// chunk all the same. The segments are valid until h is decoded again.
func (h *Header) ReadChunk(i int) (position uint32, segments []ReadSegment) {
	c := h.readChunks[i]
	segments = h.byPosition[c.First : c.First+c.Count]
	return segments[0].Position, segments
}

// ReadLength is the number of bytes of the Read chunk at a Position: the sum
// over its segments, 0 if there is none.
func (h *Header) ReadLength(position uint32) uint64 {
	sum := uint64(0)
	for i := range h.Reads {
		if h.Reads[i].Position == position {
			sum += uint64(h.Reads[i].Length)
		}
	}
	return sum
}

// PositionZero returns the number of bytes of the Position-Zero Read chunk,
// which conveys a Long Call (RFC 8166, section 3.5.3); not ok if there is none.
func (h *Header) PositionZero() (length uint64, ok bool) {
	for i := range h.Reads {
		if h.Reads[i].Position == 0 {
			return h.ReadLength(0), true
		}
	}
	return 0, false
}

// groupReads finds the Read chunks. Lists come sorted from every known sender;
// one that is not is copied and sorted, which bounds the time for a hostile one.
func (h *Header) groupReads() {
	order := func(a, b ReadSegment) int {
		switch {
		case a.Position < b.Position:
			return -1
		case a.Position > b.Position:
			return 1
		}
		return 0
	}
	h.byPosition = h.Reads
	if !slices.IsSortedFunc(h.Reads, order) {
		h.sorted = append(h.sorted, h.Reads...)
		slices.SortStableFunc(h.sorted, order)
		h.byPosition = h.sorted
	}
	for i := range h.byPosition {
		if i > 0 && h.byPosition[i].Position == h.byPosition[i-1].Position {
			h.readChunks[len(h.readChunks)-1].Count++
			continue
		}
		h.readChunks = append(h.readChunks, Chunk{First: i, Count: 1})
	}
}

// Names reports whether a segment of the chunk lists has a handle.
func (h *Header) Names(handle uint32) bool {
	return slices.ContainsFunc(h.Reads, func(s ReadSegment) bool { return s.Handle == handle }) ||
		slices.ContainsFunc(h.Segments, func(s Segment) bool { return s.Handle == handle })
}
