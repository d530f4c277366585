package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/pause"
	"github.com/rdmacap/rdmacap/report/finding"
)

// InPhase says where a part of an RPC's time went, after a duration: "207 ms" + " in the server".
func (c *Conn) InPhase(r *dissect.RPC, x dissect.Phase, p *dissect.Parts) string {
	responder := c.Sender(r.Requester.Peer())
	switch x {
	case dissect.PhaseCreditWait:
		return "until a credit was free"
	case dissect.PhaseCall:
		return "until the " + responder + " acknowledged the call"
	case dissect.PhaseReadChunks:
		return "to read chunks"
	case dissect.PhaseServer:
		if p.OrLostReply {
			return "in the " + responder + ", or until a lost reply was retransmitted"
		}
		return "in the " + responder
	case dissect.PhaseWriteChunks:
		return "to write chunks"
	case dissect.PhaseRetransmission:
		return "in retransmissions and timeouts"
	}
	if unknown, _ := p.Of(x); p.Paused > 0 && 2*p.Paused >= unknown {
		return whilePaused(p)
	}
	return "in transit or in the " + responder + ", which the capture cannot separate"
}

// whilePaused says, after a duration, that the link was paused meanwhile.
func whilePaused(p *dissect.Parts) string {
	switch {
	case p.Kinds.Has(pause.WholeLink):
		return "while PAUSE frames stopped the link"
	case p.OwnPaused:
		return "while PFC paused its " + p.Kinds.String()
	}
	return "while PFC paused " + p.Kinds.String() + ", which may be its own"
}

// SeePhases adds where the time of an RPC went, as far as it went anywhere.
func (f *Finding) SeePhases(p *dissect.Parts) {
	if f == nil {
		return
	}
	for x := range dissect.NumPhases {
		if ns, ok := p.Of(x); ok && ns > 0 {
			f.See(x.String(), finding.Nanoseconds(ns), nil)
		}
	}
	if p.Paused > 0 {
		f.See("paused meanwhile: "+p.Kinds.String(), finding.Nanoseconds(p.Paused), nil)
		if 2*p.Paused >= f.Took {
			f.Advise("Find out what pauses the link (TRANS-010c) before you look at the server.")
		}
	}
}
