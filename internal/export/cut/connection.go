package cut

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/trail"
)

// A connection is one of which something was chosen.
type connection struct {
	whole       bool // all of it was
	first, last flow.Moment
	// keys are what frames name its two ends by.
	keys  [2]key
	trail trail.RPCFrames
	left  [2]left
}

// A left says whether frames of an end were left out since the last one that was not, and the same
// of those frames only that have an order.
type left struct{ any, data bool }

// A key is what the frames that an end sends have in common: addresses, and the queue pair that they
// are for, or the ports of TCP.
type key struct {
	src, dst link.Addr
	qpn      uint32
	ports    [2]uint16 // 0 for queue pairs
}

// know notes what is known of a connection in the end.
func (k *connection) know(c *dissect.Connection) {
	k.first = flow.Moment{Ref: c.First, Time: c.FirstTime}
	k.last = flow.Moment{Ref: c.Last, Time: c.LastTime}
	for e := range k.keys {
		mine, peer := &c.Ends[e], &c.Ends[1-e]
		k.keys[e] = key{src: mine.Addr, dst: peer.Addr}
		switch {
		case c.IWARP():
			k.keys[e].ports = [2]uint16{mine.Port, peer.Port}
		case peer.HasQPN:
			k.keys[e].qpn = peer.QPN
		}
	}
}

// keyOf is that of a frame, and false if it is neither RoCE nor TCP.
func keyOf(v *dissect.FrameView) (k key, ok bool) {
	k = key{src: v.Link.Src(), dst: v.Link.Dst()}
	switch {
	case v.IB != nil:
		k.qpn = v.IB.DestQP
		return k, k.qpn > 0
	case v.Link.Transport == link.TCP || v.Link.Transport == link.IWARP:
		k.ports = [2]uint16{v.Link.SrcPort, v.Link.DstPort}
		return k, true
	}
	return k, false
}

// spans reports whether a frame was captured between the first and the last of the connection.
func (k *connection) spans(v *dissect.FrameView) bool {
	at := flow.Moment{Ref: v.Frame.Ref(), Time: v.Frame.Time}
	return !at.Before(k.first) && !k.last.Before(at)
}
