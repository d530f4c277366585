package dissect

import "github.com/rdmacap/rdmacap/dissect/pause"

// A Phase is a stretch of the time that an RPC took, by what it passed with.
//
//	client ──call──────────────────────────> server
//	       <──────────────Acknowledge──────         PhaseCall
//	       <──────────────RDMA Read──────           PhaseServer
//	       ──response─────────────────────>         PhaseReadChunks
//	       <──────────────RDMA Write─────           PhaseServer
//	       <──────────────RDMA Write─────           PhaseWriteChunks
//	       <──────────────reply──────────           PhaseWriteChunks
//	       <──────────────its last frame─           PhaseReply
//
// PhaseServer follows an acknowledgement, which travels the same way as what ends it: so it is as long wherever the
// capture was taken. Where it follows the data of an RDMA Read, as much as the call took to be acknowledged
// is not counted: the data may not have arrived before.
type Phase uint8

const (
	// PhaseCreditWait is for how long all granted credits were in use until the reply that
	// made room for the call. It lies before the call, and is no part of the latency.
	PhaseCreditWait Phase = iota
	// PhaseCall is the time until the responder acknowledged the whole call.
	PhaseCall
	// PhaseReadChunks is the time from the first RDMA Read request to the last of the data.
	PhaseReadChunks
	// PhaseServer is the time that the responder is shown to have had all that it needed.
	PhaseServer
	// PhaseWriteChunks is the time from the first RDMA Write to the reply.
	PhaseWriteChunks
	// PhaseReply is the time from the first frame of the reply to its last. It lies after the latency, which
	// ends with the first.
	PhaseReply
	// PhaseRetransmission is the time until something was retransmitted without which the RPC could
	// not go on.
	PhaseRetransmission
	// PhaseUnknown is what the frames do not tell apart: where the call was not acknowledged
	// before the first sign of the reply, its way and the responder's work. So is what passed while
	// the link was paused.
	PhaseUnknown
	// NumPhases is how many there are.
	NumPhases
)

// String is the word of the JSON contract.
func (p Phase) String() string {
	return [...]string{"credit_wait", "call", "read_chunks", "server", "write_chunks", "reply", "retransmission", "unattributed"}[p]
}

// OfLatency reports whether the phase is a part of the latency.
func (p Phase) OfLatency() bool { return p != PhaseCreditWait && p != PhaseReply }

// Parts are where the time of an RPC went. Those of the latency sum up to it.
type Parts struct {
	ns [NumPhases]int64
	// noCreditWait and noCall say that the two are not known.
	noCreditWait, noCall bool
	// OrLostReply says that PhaseServer ends with a silence so long that the responder may have answered
	// before, and sent again what was lost on its way to where the capture was taken.
	OrLostReply bool
	// Paused is for how many nanoseconds of the latency a priority of the link was paused, or all of it,
	// and Kinds which. OwnPaused says that it is known to be that of the RPC's frames; else it may be, for
	// they have no tag that shows theirs. That time is not the responder's: PhaseServer lacks it, and
	// PhaseUnknown has it.
	Paused    int64
	Kinds     pause.Set
	OwnPaused bool
}

// Of is a phase in nanoseconds, not ok if it cannot be known.
func (p *Parts) Of(x Phase) (ns int64, ok bool) {
	switch x {
	case PhaseCreditWait:
		ok = !p.noCreditWait
	case PhaseCall:
		ok = !p.noCall
	case PhaseServer:
		ok = !p.noCall || p.ns[x] > 0
	default:
		ok = true
	}
	return p.ns[x], ok
}

// Longest is the phase of the latency that took longest.
func (p *Parts) Longest() (x Phase, ns int64) {
	x = PhaseCall
	for i := PhaseCall; i < NumPhases; i++ {
		if i.OfLatency() && p.ns[i] > p.ns[x] {
			x = i
		}
	}
	return x, p.ns[x]
}

// Parts says where the time went; not ok where the latency is not known.
func (r *RPC) Parts() (p Parts, ok bool) {
	latency, ok := r.Latency()
	if !ok {
		return Parts{}, false
	}
	t := &r.timing
	p.ns = t.ns
	p.noCreditWait, p.noCall, p.OrLostReply = !t.credit, !t.acknowledged, t.orLost
	p.Paused, p.Kinds, p.OwnPaused = t.paused, t.kinds, t.ownPaused
	// What was told after the reply, or whose place is not known, is none of these.
	for x, ns := range p.ns {
		if Phase(x).OfLatency() {
			latency -= ns
		}
	}
	p.ns[PhaseUnknown] += latency
	return p, true
}

// Acknowledged reports whether the responder is shown to have had the call: it acknowledged all of it.
func (r *RPC) Acknowledged() bool { return r.timing.acknowledged }
