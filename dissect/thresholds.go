package dissect

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Thresholds returns the inline thresholds that are in force now, and whether they
// are known: in version 1 they follow from the private data of both ends, and so
// from the whole setup. Where version 2 was tried, the ends send at most 1024
// bytes until they agree on it, and then 4096, or more if their private data say
// so, or what the receiver said in XCHAR_RBSIZ.
func (c *Connection) Thresholds() (t rpcrdma.Thresholds, known bool) {
	setUp := !c.BeganLate() && c.Closing != flow.Rejected
	if setUp {
		t = rpcrdma.NegotiatedThresholds(c.ClientPrivate, c.ServerPrivate)
	}
	if c.v2 == nil {
		return t, setUp
	}
	switch n := &c.v2.negotiation; {
	case n.Agreed == rpcrdma.Version2:
		return c.v2.thresholds(t, setUp, c.ClientEnd)
	case n.Agreed == 0 && !n.Refused && n.Tried == rpcrdma.Version2: // what is undefined is none
		return rpcrdma.Thresholds{ToServer: rpcrdma.DefaultThreshold, ToClient: rpcrdma.DefaultThreshold}, setUp
	}
	return t, setUp // version 1
}

// thresholds are those of version 2, from those of the private data.
func (v *version2) thresholds(t rpcrdma.Thresholds, setUp bool, client flow.End) (_ rpcrdma.Thresholds, known bool) {
	t.ToServer, t.ToClient = max(t.ToServer, rpcrdma.Version2Threshold), max(t.ToClient, rpcrdma.Version2Threshold)
	if t.ToServer == rpcrdma.Version2Threshold && t.ToClient == rpcrdma.Version2Threshold {
		t.Source = rpcrdma.ThresholdDefault
	}
	known = true
	limit := func(receiver flow.End, size *int) {
		said, ok := v.timelines[receiver].Now(rpcrdma.XcharRBSIZ)
		switch {
		case !ok:
			// Where the beginning is not in the capture, it may have been there.
			known = known && setUp
			return
		case !said.Known:
			known = false
			return
		}
		*size = int(min(said.Value, math.MaxInt32))
		if v.refused[receiver] {
			*size = max(*size, rpcrdma.Version2Threshold) // the peer does not know of it
		}
		t.Source = rpcrdma.ThresholdCharacteristics
	}
	limit(client.Peer(), &t.ToServer)
	limit(client, &t.ToClient)
	return t, known
}
