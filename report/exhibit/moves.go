package exhibit

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Moves are the RDMA operations on segments of RPCs that are not over. It is a dissect.AccessSink, made only
// for those who look at RPCs field by field.
type Moves struct {
	several bool // there are several files: frames are named with theirs
	of      map[*rpcrdma.Region]move
}

// maxMoves is how many segments it knows; of more, all are forgotten, as of RPCs that nobody was told the end of.
const maxMoves = 1 << 16

// NewMoves returns Moves without operations; several says that there are several files.
func NewMoves(several bool) *Moves {
	return &Moves{several: several, of: make(map[*rpcrdma.Region]move)}
}

// move is what is known of one segment.
type move struct {
	call        flow.Ref // with which it was advertised: the Region serves other calls later
	operations  int
	first, last flow.Ref // frames
}

// Access implements dissect.AccessSink. No Moves need none of them.
func (m *Moves) Access(a *dissect.Access) {
	if m == nil || a.Region == nil || len(a.Frames) == 0 {
		return
	}
	x, known := m.of[a.Region]
	if !known || x.call != a.Region.Call {
		if len(m.of) >= maxMoves {
			clear(m.of)
		}
		x = move{call: a.Region.Call, first: a.Frames[0]}
	}
	if a.Kind == dissect.AccessRead || a.Kind == dissect.AccessWrite && a.First {
		x.operations++
	}
	x.last = a.Frames[len(a.Frames)-1]
	m.of[a.Region] = x
}

// Over forgets what is known of an RPC.
func (m *Moves) Over(r *dissect.RPC) {
	for i := range r.Offer.Regions {
		delete(m.of, &r.Offer.Regions[i])
	}
}

// text says which operations moved the bytes of a segment, "" where that is not known.
func (m *Moves) text(s *rpcrdma.Region) string {
	if m == nil {
		return ""
	}
	x, known := m.of[s]
	if !known || x.call != s.Call || x.operations == 0 {
		return ""
	}
	name := "RDMA Write"
	if s.Purpose == rpcrdma.ForRead {
		name = "RDMA Read"
	}
	if x.operations > 1 {
		name += "s"
	}
	text := " by " + strconv.Itoa(x.operations) + " " + name
	if x.first == x.last {
		return text + " in frame " + x.first.Name(m.several)
	}
	return text + " in frames " + x.first.Name(m.several) + " to " + x.last.Name(m.several)
}
