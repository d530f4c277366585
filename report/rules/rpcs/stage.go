package rpcs

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// A stage is how far a call came that was never answered.
type stage struct{ text, advice string }

// stageOf tells it by what was moved for the call, and when the responder's last
// frame came.
func stageOf(r *dissect.RPC, heard int64) stage {
	pulled, whole := r.Offer.Pulled()
	part := partOf(r)
	asked, all := askedOf(r)
	switch {
	case r.Offer.WriteOctets > 0:
		return stage{
			"results were written by RDMA, and no reply was sent",
			"The responder executed the call: look at how it sends replies. If it cannot send one it must close the connection.",
		}
	case len(r.Call.Header.Reads) > 0 && whole && pulled:
		return stage{
			"the data of its Read chunks was sent, and nothing came back",
			"Where RDMA Reads of the call are asked for again, the data did not arrive: look at the path. Where none is, look at the responder's NFS and storage.",
		}
	case len(r.Call.Header.Reads) > 0 && len(part) > 0:
		return stage{
			part,
			"Nothing in the capture asks for the rest. Where frames were sent again or lost near there, look at the path; otherwise at how the responder counts what it has read, at the last segment of a chunk, and at whether its log says why it gave the call up.",
		}
	case len(r.Call.Header.Reads) > 0 && r.Offer.ReadOctets > 0:
		return stage{
			"part of the data of its Read chunks was sent",
			"Look at the RDMA Reads: whether one of them was refused, or never answered by the requester.",
		}
	case asked > 0:
		return stage{
			fmt.Sprintf("RDMA Reads asked for %d of the %d bytes of its Read chunks, and the capture shows no complete response", asked, all),
			"Look at the responses to the RDMA Reads: whether they are missing, were refused, or have another length than was asked for.",
		}
	case heard < r.Call.Last:
		return stage{
			"nothing that the responder sent after it is in the capture",
			"Nothing shows that the call arrived: look at the network and at the responder's adapter.",
		}
	case len(r.Call.Header.Reads) > 0:
		return stage{
			"its Read chunks were not read, though the responder sent frames after it",
			"The responder's adapter lives: look at its RPC-over-RDMA transport, which did not begin with the call or dropped it.",
		}
	}
	return stage{
		"the responder sent frames after it, but no reply",
		"The responder's adapter lives: look at whether its transport dropped the call, or its upper layer is stuck.",
	}
}

// partOf says how much of the Read chunks of a call RDMA Reads asked for, if that is a part and each
// of them was answered; the last bytes of a chunk may be a pad that nobody asks for.
func partOf(r *dissect.RPC) string {
	if answered, _ := r.Offer.Pulled(); !answered {
		return ""
	}
	asked, all := askedOf(r)
	short := false
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForRead {
			continue
		}
		n := g.Asked.Len()
		short = short || uint64(g.Length) >= n+xdr.WordSize || g.Position == 0 && n < uint64(g.Length)
	}
	if asked == 0 || !short {
		return ""
	}
	return fmt.Sprintf("RDMA Reads asked for %d of the %d bytes of its Read chunks", asked, all)
}

// askedOf is how many bytes of the Read chunks of a call RDMA Reads asked for, and how many those have.
func askedOf(r *dissect.RPC) (asked, all uint64) {
	for i := range r.Offer.Regions {
		if g := &r.Offer.Regions[i]; g.Purpose == rpcrdma.ForRead {
			asked, all = asked+g.Asked.Len(), all+uint64(g.Length)
		}
	}
	return asked, all
}
