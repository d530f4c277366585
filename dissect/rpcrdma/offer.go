package rpcrdma

import "slices"

// fill makes the regions of a call's header.
func (o *Offer) fill(h *Header) {
	if n := len(h.Reads) + len(h.Segments); n > cap(o.Regions) {
		o.Regions = make([]Region, 0, n) // and no room for more
	}
	for i := range h.NumReadChunks() {
		position, segments := h.ReadChunk(i)
		start := uint64(0)
		for _, s := range segments {
			r := o.addSegment(s.Segment, ForRead)
			r.Position, r.Chunk, r.Start = position, i, start
			start += uint64(s.Length)
		}
	}
	for i, c := range h.Writes {
		o.addChunk(h.ChunkSegments(c), ForWrite, i)
	}
	if h.HasReply {
		o.addChunk(h.ChunkSegments(h.Reply), ForReply, 0)
	}
}

func (o *Offer) addChunk(segments []Segment, p Purpose, chunk int) {
	start := uint64(0)
	for _, s := range segments {
		r := o.addSegment(s, p)
		r.Chunk, r.Start = chunk, start
		start += uint64(s.Length)
	}
}

// addSegment appends a region, using again what a former one left.
func (o *Offer) addSegment(s Segment, p Purpose) *Region {
	if len(o.Regions) < cap(o.Regions) {
		o.Regions = o.Regions[:len(o.Regions)+1]
	} else {
		o.Regions = append(o.Regions, Region{})
	}
	r := &o.Regions[len(o.Regions)-1]
	*r = Region{Segment: s, Purpose: p, Asked: r.Asked[:0], Seen: r.Seen[:0]}
	return r
}

// reset empties the offer and keeps its memory, unless that is large.
func (o *Offer) reset() {
	const large, many, pieces = 64 << 10, 64, 16
	for i := range o.Regions {
		if r := &o.Regions[i]; cap(r.Asked) > pieces || cap(r.Seen) > pieces {
			r.Asked, r.Seen = nil, nil
		}
	}
	o.Regions = o.Regions[:0]
	if cap(o.Regions) > many {
		o.Regions = nil
	}
	if cap(o.LongCall) > large {
		o.LongCall = nil
	}
	if cap(o.LongReply) > large {
		o.LongReply = nil
	}
	o.LongCall, o.LongReply = o.LongCall[:0], o.LongReply[:0]
	o.ReadBytes, o.WriteBytes = 0, 0
	o.callFull, o.replyFull = false, false
}

// keep copies bytes of a long message to their place in it. Where there is no
// room for some of them, the message grows no more: what is kept of it has no
// hole that Region.Seen does not tell.
func (l *Ledger) keep(r *Region, at uint64, data []byte) {
	var buf *[]byte
	var full *bool
	switch o := r.offer; r.Purpose {
	case ForRead:
		buf, full = &o.LongCall, &o.callFull
	default:
		buf, full = &o.LongReply, &o.replyFull
	}
	start := r.Start + at
	if start >= MaxLong || len(data) == 0 {
		return
	}
	data = data[:min(uint64(len(data)), MaxLong-start)]
	end := int(start) + len(data)
	if had := len(*buf); had < end {
		if *full = *full || l.store.bytes+end-had > maxLongs; *full {
			if int(start) < had {
				copy((*buf)[start:], data)
			}
			return
		}
		l.store.bytes += end - had
		*buf = slices.Grow(*buf, end-had)[:end]
		clear((*buf)[had:])
	}
	copy((*buf)[start:], data)
}

// Placed reports whether every segment of a returned Write or Reply chunk was
// seen to be written as far as its returned length says. The chunk's segments
// are those of the reply; p and chunk name the offered chunk.
func (o *Offer) Placed(p Purpose, chunk int, returned []Segment) bool {
	i := 0
	for j := range o.Regions {
		r := &o.Regions[j]
		if r.Purpose != p || r.Chunk != chunk {
			continue
		}
		if i == len(returned) {
			break
		}
		if !r.Seen.Covers(0, uint64(returned[i].Length)) {
			return false
		}
		i++
	}
	return i == len(returned)
}

// Pulled reports whether what RDMA Read requests named of the Read list was
// all seen, and whether they named all of it.
func (o *Offer) Pulled() (answered, all bool) {
	answered, all = true, true
	for i := range o.Regions {
		r := &o.Regions[i]
		if r.Purpose != ForRead {
			continue
		}
		for _, s := range r.Asked {
			answered = answered && r.Seen.Covers(s.Start, s.End)
		}
		all = all && r.Seen.Covers(0, uint64(r.Length))
	}
	return answered, all
}

// PulledToEnd reports whether the last byte of every segment of the Read list was seen: what lies before
// it was sent earlier.
func (o *Offer) PulledToEnd() bool {
	for i := range o.Regions {
		r := &o.Regions[i]
		if r.Purpose == ForRead && r.Length > 0 && !r.Seen.Covers(uint64(r.Length)-1, uint64(r.Length)) {
			return false
		}
	}
	return true
}

// Front is how many bytes of the long message, from its first on, were seen
// without a hole.
func (o *Offer) Front(p Purpose) (n uint64) {
	for i := range o.Regions {
		r := &o.Regions[i]
		if r.Purpose != p || p == ForRead && r.Position != 0 || r.Length == 0 {
			continue
		}
		if len(r.Seen) == 0 || r.Seen[0].Start != 0 {
			return n
		}
		n += r.Seen[0].End
		if r.Seen[0].End < uint64(r.Length) {
			return n
		}
	}
	return n
}
