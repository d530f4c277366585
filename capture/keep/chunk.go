package keep

const (
	// mostChunk is how many bytes a chunk has, unless the ring's files or the window
	// are small: leastChunk then.
	mostChunk, leastChunk = 1 << 20, 64 << 10
	// Underway is how many bytes of chunks may wait to be written, beside what a window
	// keeps (Around). They are not among the memory that Go manages, nor is that.
	Underway = 32 << 20
	// chunkSpan is the longest time that a chunk spans, in nanoseconds: an excerpt begins
	// and ends with one.
	chunkSpan = 1e9
)

// A chunk is a run of blocks, each with a frame. What was appended stays as it is, so
// that it can be written while more is appended.
type chunk struct {
	b      []byte // of which the capacity stays as it is
	frames int64
	// ports is how many interfaces were described when the last frame was appended.
	ports int
	// first, oldest and newest are times of frames, in nanoseconds since 1970.
	first, oldest, newest int64
	// at is where it is in the memory of a window.
	at int
	// written and writtenFrames are how much of it the ring has. They are the
	// writing goroutine's.
	written       int
	writtenFrames int64
}

// away reports whether a frame's time is too far from those in the chunk.
func (c *chunk) away(time int64) bool {
	d := time - c.first
	return d > chunkSpan || d < -chunkSpan
}

// note notes a frame that was appended.
func (c *chunk) note(time int64, ports int) {
	if c.frames == 0 {
		c.first, c.oldest, c.newest = time, time, time
	}
	c.frames++
	c.ports, c.oldest, c.newest = ports, min(c.oldest, time), max(c.newest, time)
}

// A pool has the chunks that are underway.
type pool struct {
	size       int // bytes of a chunk
	most, made int // chunks
	free       []*chunk
	big        int64 // bytes of longer ones, each made for one frame
	all        [][]byte
}

func newPool(small int64) *pool {
	size := int(min(mostChunk, max(leastChunk, small/16)))
	return &pool{size: size, most: Underway / size}
}

// takeChunk returns an empty chunk with room for a number of bytes, nil if there is none.
func (p *pool) takeChunk(room int) (c *chunk) {
	switch {
	case room > p.size:
		if p.big > 0 && p.big+int64(room) > Underway {
			return nil
		}
		p.big += int64(room)
		return &chunk{b: make([]byte, 0, room)}
	case len(p.free) > 0:
		c, p.free = p.free[len(p.free)-1], p.free[:len(p.free)-1]
		*c = chunk{b: c.b[:0]}
		return c
	case p.made < p.most:
		p.made++
		b := allocate(p.size)
		p.all = append(p.all, b)
		return &chunk{b: b[:0:p.size]}
	}
	return nil
}

// back takes back a chunk.
func (p *pool) back(c *chunk) {
	if cap(c.b) > p.size {
		p.big -= int64(cap(c.b))
	} else {
		p.free = append(p.free, c)
	}
}

// release gives the memory back, when nobody has a chunk any more.
func (p *pool) release() {
	for _, b := range p.all {
		deallocate(b)
	}
	p.all, p.free, p.made = nil, nil, p.most
}
