package keep

import "slices"

// A window has copies of the newest chunks, as many as there is room for. They are not dropped
// for their age: a finding may be about a frame of long ago.
//
//	 oldest chunk                              newest
//	+------------+-----------+----------+------------+
//	|   chunk    |   chunk   |          |   chunk    |  memory, gone through in turn
//	+------------+-----------+----------+------------+
type window struct {
	Around
	memory []byte
	chunks []chunk // whose bytes lie in memory, the oldest first
	end    int     // in memory, of the newest
	// gone is the newest time of a frame that is not in it any more, if some were dropped.
	gone int64
	some bool
}

// mostChunks is how many chunks a window has for each MiB: where frames are few, chunks
// are small.
const mostChunks = 1024

// push takes a copy of a chunk, and drops those in whose place it comes.
func (w *window) push(c *chunk) {
	if w.memory == nil {
		w.memory = allocate(int(w.Memory))
	}
	n := len(c.b)
	if n > len(w.memory) {
		w.drop(len(w.chunks))
		w.forget(c)
		return
	}
	at := w.end
	if at+n > len(w.memory) {
		at = 0
	}
	// Chunks are dropped that lie between the end before and the new one.
	count := 0
	for ; count < len(w.chunks); count++ {
		x := &w.chunks[count]
		overlaps, behind := x.at < at+n && x.at+len(x.b) > at, at < w.end && x.at >= w.end
		if !overlaps && !behind {
			break
		}
	}
	w.drop(max(count, len(w.chunks)+1-mostChunks*(1+len(w.memory)>>20)))
	copied := *c
	copied.at = at
	copied.b = w.memory[at : at+n : at+n]
	copy(copied.b, c.b)
	w.chunks, w.end = append(w.chunks, copied), at+n
}

// drop drops a number of the oldest chunks.
func (w *window) drop(n int) {
	if n <= 0 {
		return
	}
	for i := range w.chunks[:n] {
		w.forget(&w.chunks[i])
	}
	w.chunks = slices.Delete(w.chunks, 0, n)
}

// forget notes that a chunk is not there.
func (w *window) forget(c *chunk) {
	if !w.some {
		w.gone, w.some = c.newest, true
	}
	w.gone = max(w.gone, c.newest)
}

// since are the chunks with frames from a time on, and those after them.
func (w *window) since(time int64) []chunk {
	for i := range w.chunks {
		if w.chunks[i].newest >= time {
			return w.chunks[i:]
		}
	}
	return nil
}

// release gives the memory back.
func (w *window) release() {
	if w.memory != nil {
		deallocate(w.memory)
		w.memory, w.chunks = nil, nil
	}
}
