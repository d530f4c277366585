package inv

import "github.com/rdmacap/rdmacap/dissect/rpcrdma"

// handles appends the distinct handles of a call's header to dst, but for the few
// bytes that Linux clients keep registered for the XDR pad of a Write chunk.
func handles(dst []uint32, h *rpcrdma.Header) []uint32 {
	add := func(s rpcrdma.Segment) {
		if pad(s) {
			return
		}
		for _, known := range dst {
			if known == s.Handle {
				return
			}
		}
		dst = append(dst, s.Handle)
	}
	for i := range h.Reads {
		add(h.Reads[i].Segment)
	}
	for _, s := range h.Segments {
		add(s)
	}
	return dst
}

// pad reports whether a segment may be the one of a Linux client for XDR pads.
func pad(s rpcrdma.Segment) bool { return s.Length <= 4 }
