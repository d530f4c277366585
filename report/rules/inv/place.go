package inv

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// handlePlace is where the handle that a Send With Invalidate names lies in the
// frames: the IETH, which is right before the payload of the last packet (IBA
// 9.3.8), or the Invalidate STag of the first DDP segment (RFC 5040, section 4.4).
// It is nowhere if the octets of the Send are not known to be.
func handlePlace(m *dissect.Message) (p flow.Place) {
	places := m.Place(nil, 0, m.Length)
	if len(places) == 0 {
		return p
	}
	const handle = 4 // octets
	if !m.Connection.IWARP() {
		p = places[len(places)-1]
		p.Offset, p.Length = p.Offset-handle, handle
		return p
	}
	const behind = 16 // octets from the STag to the payload: itself, QN, MSN, MO
	if len(places) > len(m.Frames) {
		return p // markers are among them, and perhaps in the header too
	}
	p = places[0]
	p.Offset, p.Length = p.Offset-behind, handle
	return p
}

// names reports whether a call's header advertises a handle.
func names(h *rpcrdma.Header, handle uint32) bool {
	for i := range h.Reads {
		if h.Reads[i].Handle == handle {
			return true
		}
	}
	for i := range h.Segments {
		if h.Segments[i].Handle == handle {
			return true
		}
	}
	return false
}

// handles appends the distinct handles of a call's header to dst, but for the few
// octets that Linux clients keep registered for the XDR pad of a Write chunk.
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
