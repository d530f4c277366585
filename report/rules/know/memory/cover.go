package memory

import "github.com/rdmacap/rdmacap/dissect/rpcrdma"

// covers reports whether n segments have all bytes of a range under a handle, if
// need be several together: an operation may run from one into its neighbour. What
// segment says is not ok does not count.
func covers(handle uint32, offset, length uint64, n int, segment func(i int) (s rpcrdma.Segment, ok bool)) bool {
	const rounds = 8 // as many as the order of the neighbours may go back and forth
	at, left := offset, length
	for range rounds {
		before := left
		for i := range n {
			s, ok := segment(i)
			if !ok || s.Handle != handle || at-s.Offset >= uint64(s.Length) {
				continue
			}
			step := uint64(s.Length) - (at - s.Offset)
			if step >= left {
				return true
			}
			at, left = at+step, left-step
		}
		if left == before {
			return false
		}
	}
	return false
}

// allows reports whether the memory that a call's header names has a range, for
// RDMA Writes or for RDMA Reads.
func allows(h *rpcrdma.Header, handle uint32, offset, length uint64, write bool) bool {
	if write {
		return covers(handle, offset, length, len(h.Segments), func(i int) (rpcrdma.Segment, bool) { return h.Segments[i], true })
	}
	return covers(handle, offset, length, len(h.Reads), func(i int) (rpcrdma.Segment, bool) { return h.Reads[i].Segment, true })
}
