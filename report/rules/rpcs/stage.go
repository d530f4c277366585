package rpcs

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// A stage is how far a call came that was never answered.
type stage struct{ text, advice string }

// stageOf reports it by what was moved for the call, and when the responder's last
// frame came.
func stageOf(r *dissect.RPC, heard int64) stage {
	pulled, whole := r.Offer.Pulled()
	part := partOf(r)
	asked, all := askedOf(r)
	switch {
	case r.Offer.WriteBytes > 0:
		return stage{
			"results were written by RDMA, but no reply was sent",
			"The responder executed the call: look at how it sends replies. If it cannot send one, it must close the connection.",
		}
	case len(r.Call.Header.Reads) > 0 && whole && pulled:
		return stage{
			"the data of its Read chunks was sent, but no reply came back",
			"If RDMA Reads of the call were requested again, the data did not arrive: look at the path. If none was, look at the responder's NFS and storage.",
		}
	case len(r.Call.Header.Reads) > 0 && len(part) > 0:
		return stage{
			part,
			"Nothing in the capture requests the rest. If frames were retransmitted or lost near there, look at the path; otherwise look at how the responder counts the bytes that it has read, at the last segment of a chunk, and at whether its log says why it abandoned the call.",
		}
	case len(r.Call.Header.Reads) > 0 && r.Offer.ReadBytes > 0:
		return stage{
			"part of the data of its Read chunks was sent",
			"Check whether one of the RDMA Reads was refused, or never answered by the requester.",
		}
	case asked > 0:
		return stage{
			fmt.Sprintf("RDMA Reads requested %d of the %d bytes of its Read chunks, but the capture shows no complete response", asked, all),
			"Check whether the responses to the RDMA Reads are missing, were refused, or differ in length from the requests.",
		}
	case heard < r.Call.Last:
		return stage{
			"the capture has nothing that the responder sent after the call",
			"Nothing shows that the call arrived: look at the network and at the responder's adapter.",
		}
	case len(r.Call.Header.Reads) > 0:
		return stage{
			"its Read chunks were not read, though the responder sent frames after the call",
			"The responder's adapter is alive: look at its RPC-over-RDMA transport, which did not start the call or dropped it.",
		}
	}
	return stage{
		"the responder sent frames after the call, but no reply",
		"The responder's adapter is alive: check whether its transport dropped the call, or its upper layer is stuck.",
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
	return fmt.Sprintf("RDMA Reads requested only %d of the %d bytes of its Read chunks", asked, all)
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
