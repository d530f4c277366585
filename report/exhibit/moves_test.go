package exhibit

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// TestMoves holds what is reported of the operations on a segment, and that it is forgotten with the RPC.
func TestMoves(t *testing.T) {
	m := NewMoves(false)
	r := new(dissect.RPC)
	r.Offer.Regions = []rpcrdma.Region{{Purpose: rpcrdma.ForRead}, {Purpose: rpcrdma.ForWrite}}
	read, write := &r.Offer.Regions[0], &r.Offer.Regions[1]
	take := func(s *rpcrdma.Region, kind dissect.AccessKind, first bool, frames ...int64) {
		a := dissect.Access{Region: s, Kind: kind, First: first}
		for _, n := range frames {
			a.Frames = append(a.Frames, flow.Ref{Number: n})
		}
		m.Access(&a)
	}
	want := func(s *rpcrdma.Region, text string) {
		t.Helper()
		if got := m.text(s); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	want(read, "")
	take(read, dissect.AccessReadData, true, 2)
	want(read, "") // its request is not in the capture
	take(read, dissect.AccessRead, true, 3)
	take(read, dissect.AccessReadData, true, 4)
	want(read, " by 1 RDMA Read in frames 2 to 4")
	take(read, dissect.AccessRead, true, 5)
	want(read, " by 2 RDMA Reads in frames 2 to 5")
	take(write, dissect.AccessWrite, true, 6)
	want(write, " by 1 RDMA Write in frame 6")
	take(write, dissect.AccessWrite, false, 7, 8)
	want(write, " by 1 RDMA Write in frames 6 to 8")
	take(nil, dissect.AccessWrite, true, 9)
	write.Call.Number = 10 // it serves another call
	want(write, "")
	take(write, dissect.AccessWrite, true, 11)
	want(write, " by 1 RDMA Write in frame 11")
	m.Over(r)
	if want(write, ""); len(m.of) > 0 {
		t.Errorf("%d segments are remembered of an RPC that is over", len(m.of))
	}
	want(read, "")
	m.of = nil
	if m = nil; m.text(write) != "" {
		t.Error("operations are known where nobody follows them")
	}
}
