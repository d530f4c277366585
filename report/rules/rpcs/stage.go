package rpcs

import "github.com/rdmacap/rdmacap/dissect"

// A stage is how far a call came that was never answered.
type stage struct{ text, advice string }

// stageOf tells it by what was moved for the call, and when the responder's last
// frame came.
func stageOf(r *dissect.RPC, heard int64) stage {
	pulled, all := r.Offer.Pulled()
	switch {
	case r.Offer.WriteOctets > 0:
		return stage{
			"results were written by RDMA, and no reply was sent",
			"The responder executed the call: look at how it sends replies. If it cannot send one it must close the connection.",
		}
	case len(r.Call.Header.Reads) > 0 && all && pulled:
		return stage{
			"the data of its Read chunks was sent, and nothing came back",
			"Where RDMA Reads of the call are asked for again, the data did not arrive: look at the path. Where none is, look at the responder's NFS and storage.",
		}
	case len(r.Call.Header.Reads) > 0 && r.Offer.ReadOctets > 0:
		return stage{
			"part of the data of its Read chunks was sent",
			"Look at the RDMA Reads: whether one of them was refused, or never answered by the requester.",
		}
	case heard < r.Call.Last:
		return stage{
			"no frame of the responder followed",
			"Nothing shows that the call arrived: look at the network and at the responder's adapter.",
		}
	case len(r.Call.Header.Reads) > 0:
		return stage{
			"its Read chunks were not read, though frames of the responder followed",
			"The responder's adapter lives: look at its RPC-over-RDMA transport, which did not begin with the call or dropped it.",
		}
	}
	return stage{
		"frames of the responder followed",
		"The responder's adapter lives: look at whether its transport dropped the call, or its upper layer is stuck.",
	}
}
