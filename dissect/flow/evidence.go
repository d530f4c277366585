package flow

import "github.com/rdmacap/rdmacap/rocev2"

// Two halves are one connection when the one carries the reply to a call that
// the other carries: identifiers of calls are random numbers of 32 bits. PSNs
// have 24 and may begin anywhere, those of two connections near one another;
// that a response has the PSN of a request is only one vote. It takes several,
// and none for or from any other half. Where two could be meant, both wait.

const (
	votesNeeded = 3
	// recentPSNs is how far back a response may reach in a half that did not
	// keep its packets.
	recentPSNs = 64
)

// vote counts the responses of a half that answer requests of another.
type vote struct {
	g   *half
	n   int
	psn uint32 // the last of them
}

// peek reads what ties a Send to another.
func (t *Tracker) peek(p *Frame) (e tie) {
	if t.opts.Peek != nil && p.IB.OpCode.Kind() == rocev2.KindSend {
		e.id, e.call, e.ok = t.opts.Peek(p.IB.Payload())
	}
	return e
}

// findPeer returns the one half that the packets up to p show to be the other
// direction of h; nil if none or several could be.
func (t *Tracker) findPeer(h *half, p *Frame, e tie) (found *half) {
	if p.IB.Check == rocev2.ICRCWrong && t.trusted[h.key.src] {
		return nil // it says nothing
	}
	opposite := t.lonely[h.route().back()]
	switch {
	case e.ok:
		for _, g := range opposite {
			if g.ties(e) {
				if found != nil {
					return nil
				}
				found = g
			}
		}
		return found
	case p.IB.OpCode.IsRequest():
		return nil
	}
	for _, g := range opposite {
		if g.requested(p) {
			h.voteFor(g, p.IB.PSN)
		}
	}
	return t.elected(h, opposite)
}

// elected returns the half that all votes of h are for, if they are enough and
// no other half votes for it.
func (t *Tracker) elected(h *half, opposite []*half) (found *half) {
	for _, g := range opposite {
		if n := h.votesFor(g); n > 0 {
			if found != nil {
				return nil
			}
			found = g
		}
	}
	if found == nil || h.votesFor(found)+found.votesFor(h) < votesNeeded {
		return nil
	}
	for _, rival := range t.lonely[h.route()] {
		if rival != h && (rival.votesFor(found) > 0 || found.votesFor(rival) > 0) {
			return nil
		}
	}
	return found
}

// ties reports whether the half has the call to a reply, or the reply to a call.
func (h *half) ties(e tie) bool {
	for _, k := range h.queue {
		if k.tie.pairs(e) {
			return true
		}
	}
	return h.said.ties(e)
}

func (e tie) pairs(o tie) bool { return e.ok && o.ok && e.id == o.id && e.call != o.call }

// said are the last calls and replies of a half that does not keep its packets.
type said struct {
	ring []tie
	at   int
}

func (s *said) add(e tie) {
	if len(s.ring) < 32 {
		s.ring = append(s.ring, e)
		return
	}
	s.ring[s.at%len(s.ring)] = e
	s.at++
}

func (s *said) ties(e tie) bool {
	for _, o := range s.ring {
		if o.pairs(e) {
			return true
		}
	}
	return false
}

func (h *half) voteFor(g *half, psn uint32) {
	for i := range h.votes {
		if v := &h.votes[i]; v.g == g {
			if v.psn != psn {
				v.n++
				v.psn = psn
			}
			return
		}
	}
	h.votes = append(h.votes, vote{g, 1, psn})
}

func (h *half) votesFor(g *half) int {
	for i := range h.votes {
		if h.votes[i].g == g {
			return h.votes[i].n
		}
	}
	return 0
}

// requested reports whether the half lately sent the request that the response
// p answers, or could.
func (h *half) requested(p *Frame) bool {
	for _, k := range h.queue {
		if k.answeredBy(&p.IB) {
			return true
		}
	}
	if h.conn == nil || !h.known {
		return false
	}
	d := rocev2.PSNDiff(h.next, p.IB.PSN)
	return d > 0 && d <= recentPSNs
}

// answeredBy reports whether the packet is a request that the response can be
// to. Responses in the middle of an RDMA Read say less than its first.
func (k *held) answeredBy(response *rocev2.Packet) bool {
	if response.PSN != k.IB.PSN {
		return false
	}
	read := k.IB.OpCode.Kind() == rocev2.KindReadRequest
	if response.OpCode.Kind() != rocev2.KindReadResponse {
		return !read && k.IB.OpCode.IsRequest()
	}
	n, asked := uint64(response.PayloadLength()), uint64(k.IB.DMALen())
	if response.OpCode.Position() == rocev2.PositionOnly {
		return read && n == asked
	}
	return read && n < asked
}
