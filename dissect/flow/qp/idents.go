package qp

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// idents follow the IPv4 identifications of what an end sends. Where they count, they say in which order frames
// were sent, whatever the order in which they were captured:
//
//	PSN 10  identification 100
//	PSN 12  identification 102    11 is missing
//	PSN 11  identification 101    was overtaken: it was sent before 12
//	PSN 11  identification 103    was retransmitted: the first one was lost
//
// Other frames of the same host count too, and adapters may leave the field at 0.
type idents struct {
	newest uint16
	run    uint8 // how often it rose by little, up to identsProven
}

const (
	identsNear   = 1024 // so many frames, at most, go to the same host in between
	identsProven = 4    // that it counts
)

// identsTurn is how long two identifications compare: in less time no sender comes round.
const identsTurn = int64(100 * time.Millisecond)

// addIdent takes the identification of a frame.
func (x *idents) addIdent(id uint16) {
	switch d := int(int16(id - x.newest)); {
	case d > identsNear || d < -identsNear || d < 0 && x.run == 0:
		x.newest, x.run = id, 0
	case d > 0:
		x.newest, x.run = id, min(x.run+1, identsProven)
	}
}

// since says whether a frame was sent after one (1) or before it (-1) that was captured before, so many nanoseconds
// ago; 0 if that is not known.
func (x *idents) since(p *flow.Frame, id uint16, ago int64) int {
	switch d := int16(p.Link.IPID - id); {
	case x.run < identsProven || ago < 0 || ago > identsTurn:
		return 0
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

// sinceHeld is since for a request that others, which wait for it, were captured before: 1 if it was sent after
// any of them.
func (h *requester) sinceHeld(p *flow.Frame) int {
	for _, k := range h.held {
		if x := h.idents.since(p, k.Link.IPID, p.Time-h.gap.time); x >= 0 {
			return x
		}
	}
	return -1
}
