package export

import (
	"slices"
	"sort"
)

// kind says what is known of a range of bytes.
type kind uint8

const (
	missing kind = iota // nothing; such ranges are not kept
	data                // they were captured
	hole                // they were told to be zeros
	lost                // they moved, and the capture lacks them
)

// An extent is the half-open range [start, end) of one kind.
type extent struct {
	start, end uint64
	kind       kind
}

// extents is a sorted list of ranges that do not overlap; those of one kind do
// not touch. It stands in blocks, so that a range is put in between without
// moving all the others: data may come in any order, a page at a time.
type extents struct {
	blocks [][]extent // none is empty
	pieces int        // in all of them
}

// maxBlock is how many ranges a block has at most.
const maxBlock = 512

// paint makes a range be of a kind, which is not missing. What was data in it and is no more is
// handed to gone.
func (e *extents) paint(start, end uint64, k kind, gone func(start, end uint64)) {
	if start >= end {
		return
	}
	// Fresh data mostly follow what there is.
	if n := len(e.blocks); n > 0 {
		last := &e.blocks[n-1][len(e.blocks[n-1])-1]
		if last.end == start && last.kind == k {
			last.end = end
			return
		}
	}
	first := sort.Search(len(e.blocks), func(i int) bool { b := e.blocks[i]; return b[len(b)-1].end >= start })
	after := first
	for after < len(e.blocks) && e.blocks[after][0].start <= end {
		after++
	}
	if first == after { // between two blocks, or at an end: into one of them
		first = max(0, min(first, len(e.blocks)-1))
		after = min(first+1, len(e.blocks))
	}
	c := coat{extent: extent{start, end, k}, over: extent{start, end, k}, gone: gone}
	for _, block := range e.blocks[first:after] {
		c.out = slices.Grow(c.out, len(block)+2)
		for _, x := range block {
			c.takeExtent(x)
		}
	}
	c.writeExtents()
	e.replace(first, after, c.out)
}

// replace puts ranges in the place of blocks.
func (e *extents) replace(first, after int, list []extent) {
	for _, block := range e.blocks[first:after] {
		e.pieces -= len(block)
	}
	e.pieces += len(list)
	var blocks [][]extent
	switch {
	case len(list) > maxBlock:
		for part := range slices.Chunk(list, maxBlock/2) {
			blocks = append(blocks, slices.Clone(part))
		}
	case len(list) > 0:
		blocks = append(blocks, list)
	}
	e.blocks = slices.Replace(e.blocks, first, after, blocks...)
}

// A coat is a range on its way over those that are there.
type coat struct {
	extent
	over extent // and those of its kind that it joins
	done bool   // it is in out
	out  []extent
	gone func(start, end uint64)
}

// takeExtent takes the next range that is there.
func (c *coat) takeExtent(x extent) {
	switch {
	case x.end < c.start || x.end == c.start && x.kind != c.kind:
		c.out = append(c.out, x)
		return
	case x.start > c.end || x.start == c.end && x.kind != c.kind:
		c.writeExtents()
		c.out = append(c.out, x)
		return
	case x.kind == c.kind:
		c.over.start, c.over.end = min(c.over.start, x.start), max(c.over.end, x.end)
		return
	}
	if x.kind == data {
		c.gone(max(x.start, c.start), min(x.end, c.end))
	}
	if x.start < c.start {
		c.out = append(c.out, extent{x.start, c.start, x.kind})
	}
	if x.end > c.end {
		c.writeExtents()
		c.out = append(c.out, extent{c.end, x.end, x.kind})
	}
}

// writeExtents puts the range where it belongs, once all that it joins is known.
func (c *coat) writeExtents() {
	if !c.done {
		c.out, c.done = append(c.out, c.over), true
	}
}

// each calls f for all of [0, size) in order: what is known, and between what
// is missing.
func (e *extents) each(size uint64, f func(extent) error) error {
	at := uint64(0)
	tell := func(x extent) error {
		if x.start >= x.end {
			return nil
		}
		return f(x)
	}
	for _, block := range e.blocks {
		for _, x := range block {
			if err := tell(extent{at, x.start, missing}); err != nil {
				return err
			}
			if err := tell(x); err != nil {
				return err
			}
			at = x.end
		}
	}
	return tell(extent{at, size, missing})
}
