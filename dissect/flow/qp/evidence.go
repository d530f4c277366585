package qp

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

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
	// maxMeant is how many requests, or halves, a response may be to and still
	// count as a vote for each.
	maxMeant = 64
)

// vote counts the responses of a half that answer requests of another.
type vote struct {
	g   *requester
	n   int
	psn uint32 // the last of them
}

// xidOf reads what ties a Send to another.
func (t *Tracker) xidOf(p *flow.Frame) (e xidKey) {
	if t.peek != nil && p.IB.OpCode.Kind() == rocev2.KindSend {
		e.id, e.call, e.ok = t.peek(p.IB.Payload())
	}
	return e
}

// findPeer returns the one half that the packets up to p show to be the other
// direction of h; nil if none or several could be.
func (t *Tracker) findPeer(h *requester, p *flow.Frame, e xidKey) *requester {
	if h.search == nil || t.damaged {
		return nil // it says nothing
	}
	opposite := h.search.among.opposite
	switch {
	case e.ok:
		matching := opposite.matches[e.other()]
		return matching.only()
	case p.IB.OpCode.IsRequest():
		return nil
	}
	opposite.requested(p, h)
	return h.elected()
}

// requested has a half vote for those that lately sent the request which its
// response p answers, or could; for none if they are so many that it says nothing.
func (u *unpaired) requested(p *flow.Frame, voter *requester) {
	psn := p.IB.PSN
	if same := u.requests[psn]; same != nil && same.N <= maxMeant {
		for k := range same.Values {
			if k.answeredBy(&p.IB) {
				voter.voteFor(k.requester, psn)
			}
		}
	}
	if len(u.byNext) == 0 {
		return
	}
	from, to := nextBucket(psn+1), nextBucket(psn+recentPSNs)
	u.voteByNext(from, psn, voter)
	if to != from {
		u.voteByNext(to, psn, voter)
	}
}

// voteByNext is requested for halves that keep no packets.
func (u *unpaired) voteByNext(at, psn uint32, voter *requester) {
	halves := u.byNext[at]
	if len(halves.more) >= maxMeant {
		return
	}
	for g := range halves.all {
		if d := rocev2.PSNDiff(g.next, psn); d > 0 && d <= recentPSNs {
			voter.voteFor(g, psn)
		}
	}
}

// elected returns the half that all votes of h are for, if they are enough and
// no other half votes for it.
func (h *requester) elected() *requester {
	var found *requester
	for _, v := range h.search.votes {
		switch {
		case v.g.search == nil: // it has its other direction
		case found != nil:
			return nil
		default:
			found = v.g
		}
	}
	if found == nil || h.votesFor(found)+found.votesFor(h) < votesNeeded {
		return nil
	}
	for _, rival := range found.search.voters {
		if rival != h && rival.search != nil {
			return nil
		}
	}
	for _, v := range found.search.votes {
		if v.g != h && v.g.search != nil {
			return nil
		}
	}
	return found
}

func (h *requester) voteFor(g *requester, psn uint32) {
	s := h.search
	for i := range s.votes {
		if v := &s.votes[i]; v.g == g {
			if v.psn != psn {
				v.n++
				v.psn = psn
			}
			return
		}
	}
	// Those that have their other direction by now make room.
	if len(s.votes) == cap(s.votes) {
		s.votes = slices.DeleteFunc(s.votes, func(v vote) bool { return v.g.search == nil })
	}
	if voters := g.search.voters; len(voters) == cap(voters) {
		g.search.voters = slices.DeleteFunc(voters, func(v *requester) bool { return v.search == nil })
	}
	s.votes = append(s.votes, vote{g, 1, psn})
	g.search.voters = append(g.search.voters, h)
}

func (h *requester) votesFor(g *requester) int {
	for _, v := range h.search.votes {
		if v.g == g {
			return v.n
		}
	}
	return 0
}

// other is what ties to it: the call of a reply, or the reply to a call.
func (e xidKey) other() xidKey { return xidKey{e.id, !e.call, e.ok} }

// xidMatches are the last calls and replies of a half that does not keep its packets.
type xidMatches struct {
	ring []xidKey
	at   int // of the oldest, once the ring is full
}

// maxMatches is how many of them are remembered.
const maxMatches = 32

// remember enters a call or reply of a half that keeps no packets.
func (h *requester) remember(e xidKey) {
	s := h.search
	if s == nil {
		return
	}
	m := &s.matches
	s.among.enter(e, h)
	if len(m.ring) < maxMatches {
		m.ring = append(m.ring, e)
		return
	}
	s.among.withdraw(m.ring[m.at], h)
	m.ring[m.at] = e
	m.at = (m.at + 1) % maxMatches
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
