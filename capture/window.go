package capture

import "io"

const (
	// windowSize is what a window begins with, in bytes: large enough that
	// reads cost little, small enough to stay in a processor's cache.
	windowSize = 256 << 10
	// maxRecord is the longest record that is believed, in bytes. A frame has
	// at most some hundred thousand; more than this is a broken length.
	maxRecord = 256 << 20
	// maxHeld is how much of a record is held in memory, in bytes: more than the
	// longest frame that Linux hands to a capture, a BIG TCP segment of 524,280 bytes
	// and its headers. What a record has beyond it is read and passed over.
	maxHeld = 516 << 10
)

// A window is one buffer that slides over a stream. Records are given as
// slices into it, good until the next fill; with a ring of buffers, which fill
// goes through in turn, good for as many fills as keep says.
//
//	  taken        not yet taken      free
//	+-----------+--------------------+----------------+
//	|           |  record   record   |                |  buf
//	+-----------+--------------------+----------------+
//	base        start                end
type window struct {
	r    io.Reader
	buf  []byte
	ring [][]byte // the buffers in turn, buf at turn; nil if it is the only one
	turn int
	lent bool  // a frame that lies in buf was given
	base int64 // offset in the stream of buf[0]
	// buf[start:end] are the bytes that were read and not yet taken.
	start, end int
	// err is why the stream gives no more: io.EOF or worse.
	err error
}

// offset is the position in the stream of the next byte to take.
func (w *window) offset() int64 { return w.base + int64(w.start) }

// received is the number of bytes the stream has given so far.
func (w *window) received() int64 { return w.base + int64(w.end) }

// peek returns the next n bytes without taking them, or fewer where the
// stream stops before. It waits for no byte beyond them.
func (w *window) peek(n int) []byte {
	if w.end-w.start >= n {
		return w.buf[w.start : w.start+n]
	}
	return w.fill(n)
}

// advance moves on by n bytes that peek has shown.
func (w *window) advance(n int) { w.start += n }

// skip takes n bytes, however many fit in the window at once, and reports
// false where the stream stops before.
func (w *window) skip(n int) bool {
	for n > 0 {
		if len(w.peek(1)) == 0 {
			return false
		}
		have := min(n, w.end-w.start)
		w.advance(have)
		n -= have
	}
	return true
}

// fill is peek where the bytes must be read first.
func (w *window) fill(n int) []byte {
	// What is left moves to the front each time. It is less than n, and the
	// rest of n must be read anyway, so this at most doubles the work; it
	// leaves the whole buffer free for one large read.
	into := w.buf
	if w.lent && len(w.ring) > 0 {
		w.lent = false
		w.ring[w.turn] = w.buf
		w.turn = (w.turn + 1) % len(w.ring)
		into = w.ring[w.turn]
		if len(into) < len(w.buf) {
			into = make([]byte, len(w.buf))
		}
	}
	copy(into, w.buf[w.start:w.end])
	w.buf = into
	w.base += int64(w.start)
	w.end -= w.start
	w.start = 0
	for idle := 0; w.end < n && w.err == nil; {
		if w.end == len(w.buf) {
			// A length is a stranger's word: the buffer grows with the bytes
			// that came, not with those that were promised.
			grown := make([]byte, max(windowSize, 2*len(w.buf)))
			copy(grown, w.buf[:w.end])
			w.buf = grown
		}
		var got int
		got, w.err = w.r.Read(w.buf[w.end:])
		w.end += got
		if idle++; got > 0 {
			idle = 0
		} else if idle == 100 && w.err == nil {
			w.err = &readError{io.ErrNoProgress}
		}
	}
	n = min(n, w.end)
	return w.buf[:n]
}

// A readError marks an error of the device, pipe or network below, so that it
// is told from bad compressed data when it comes out of a decompressor.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }
