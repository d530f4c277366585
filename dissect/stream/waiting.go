package stream

import (
	"slices"
	"sort"
)

// Bounds on what waits after holes. Beyond them the first hole is given up,
// without a call of Skip.
const (
	MaxSegments = 1024    // segments, or parts of them
	MaxBytes    = 4 << 20 // bytes kept of them
)

// Bounds on what is kept of parts for others that will wait.
const (
	maxFree      = 16
	maxFreeBytes = 64 << 10
)

// A part is what waits of a segment: all, or what no other had of it. Either its
// bytes were captured or the snap length cut it off.
type part[T any] struct {
	at, end uint64
	bytes   []byte // a copy; none if cut
	cut     bool
	from    T
}

// waiting are the parts that wait. None overlaps another, and none begins at or
// before the next byte.
type waiting[T any] struct {
	parts     []*part[T] // in the order of the stream
	bytes     int        // bytes kept
	length    uint64     // bytes that the parts cover, kept or cut off
	free      []*part[T] // for use again, with their buffers
	freeBytes int        // the size of these
}

func (w *waiting[T]) tooMuch() bool { return len(w.parts) > MaxSegments || w.bytes > MaxBytes }

// endOfWaiting is the position after all that waits, 0 if nothing does.
func (w *waiting[T]) endOfWaiting() uint64 {
	if len(w.parts) == 0 {
		return 0
	}
	return w.parts[len(w.parts)-1].end
}

// before counts the bytes that wait before a position.
func (w *waiting[T]) before(at uint64) uint64 {
	n := w.length
	// Most segments come after all others.
	for i := len(w.parts) - 1; i >= 0 && w.parts[i].end > at; i-- {
		n -= w.parts[i].end - max(w.parts[i].at, at)
	}
	return n
}

// addRun lets a run wait, as far as it brings what no part has. It returns the
// position of the first byte that is new, the run's end if none is.
func (w *waiting[T]) addRun(r *run[T]) (news uint64) {
	news = w.addPart(r.at, r.cut, r.bytes, r.from)
	if cut := w.addPart(r.cut, r.end, nil, r.from); news == r.cut {
		news = cut
	}
	return news
}

// addPart lets the bytes from at to end wait, which the snap length cut off if
// bytes is nil. Where others wait they stay, but bytes take the place of what
// was cut off. It returns the position of the first that is new, end if none is.
func (w *waiting[T]) addPart(at, end uint64, data []byte, from *T) (news uint64) {
	news = end
	start := at
	for i := w.findRun(at); at < end; i++ {
		upto := end
		if i < len(w.parts) {
			switch p := w.parts[i]; {
			case p.at > at:
				upto = min(end, p.at)
			case p.cut && data != nil:
				upto = min(end, p.end)
				i = w.carve(i, at, upto)
			default:
				at = p.end
				continue
			}
		}
		n := w.takePart()
		n.at, n.end, n.cut, n.from = at, upto, data == nil, *from
		if data != nil {
			n.bytes = append(n.bytes, data[at-start:upto-start]...)
		}
		w.insert(i, n)
		news = min(news, at)
		at = upto
	}
	return news
}

// findRun is the index of the first part that ends after a position.
func (w *waiting[T]) findRun(at uint64) int {
	if w.endOfWaiting() <= at {
		return len(w.parts)
	}
	return sort.Search(len(w.parts), func(i int) bool { return w.parts[i].end > at })
}

// carve takes the bytes from at to end out of part i, which the snap length cut
// off, and returns the index that a part in their place gets.
func (w *waiting[T]) carve(i int, at, end uint64) int {
	p := w.parts[i]
	w.length -= p.end - at
	if end < p.end {
		rest := w.takePart()
		rest.at, rest.end, rest.cut, rest.from = end, p.end, true, p.from
		w.insert(i+1, rest)
	}
	if p.at < at {
		p.end = at
		return i + 1
	}
	w.parts = slices.Delete(w.parts, i, i+1)
	w.release(p)
	return i
}

func (w *waiting[T]) insert(i int, p *part[T]) {
	w.parts = slices.Insert(w.parts, i, p)
	w.bytes += len(p.bytes)
	w.length += p.end - p.at
}

// drop forgets the first n parts.
func (w *waiting[T]) drop(n int) {
	for _, p := range w.parts[:n] {
		w.bytes -= len(p.bytes)
		w.length -= p.end - p.at
		w.release(p)
	}
	w.parts = slices.Delete(w.parts, 0, n)
}

// takePart gets a part without bytes.
func (w *waiting[T]) takePart() *part[T] {
	n := len(w.free)
	if n == 0 {
		return new(part[T])
	}
	p := w.free[n-1]
	w.free = w.free[:n-1]
	w.freeBytes -= cap(p.bytes)
	return p
}

// release keeps a part for use again, but nothing of what it reported.
func (w *waiting[T]) release(p *part[T]) {
	if len(w.free) < maxFree && w.freeBytes+cap(p.bytes) <= maxFreeBytes {
		*p = part[T]{bytes: p.bytes[:0]}
		w.free = append(w.free, p)
		w.freeBytes += cap(p.bytes)
	}
}
