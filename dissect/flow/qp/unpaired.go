package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/rocev2"
)

// route is a direction between two addresses, whatever the queue pair.
type route struct {
	src, dst link.Addr
	service  rocev2.Transport
}

func (h *requester) route() route { return route{h.key.src, h.key.dst, h.key.service} }

// back is the opposite direction.
func (r route) back() route { return route{r.dst, r.src, r.service} }

// unpaired are the halves of one route whose other direction is not known, by what
// may tie them to it (evidence.go): thousands of queue pairs between two hosts cost a
// packet a look-up, and not a walk over all of them. A half that waits is found by
// the packets that it keeps, one that does not by its last.
type unpaired struct {
	route      route
	opposite   *unpaired
	requesters list.List[requester]
	setUp      list.List[requester] // those among them whose connection was set up in the capture
	matches    map[xidKey]holders
	requests   map[uint32]*list.List[held] // by PSN
	byNext     map[uint32]holders          // halves that keep no packets, by nextBucket of their next PSN
}

// unpairedOn are the halves of a route, and those of the opposite one by way of
// them. Both are made if there are none.
func (t *Tracker) unpairedOn(r route) *unpaired {
	u := t.unpaired[r]
	if u == nil {
		u = &unpaired{route: r}
		u.opposite = u
		t.unpaired[r] = u
		if back := r.back(); back != r {
			u.opposite = &unpaired{route: back, opposite: u}
			t.unpaired[back] = u.opposite
		}
	}
	return u
}

// A search is what a half has while its other direction is not known.
type search struct {
	waiting          list.Element[requester] // its place in the tracker's list of halves without connection
	among            *unpaired
	inRoute, inSetUp list.Element[requester] // its places in lists of that
	indexed          bool                    // it is in among.byNext, at bucket
	bucket           uint32
	votes            []vote       // which half may be the other direction
	voters           []*requester // who has such votes for this one
	matches          xidMatches
}

// unpair enters a half whose other direction is not known.
func (t *Tracker) unpair(h *requester) {
	s := h.search
	if s == nil {
		s = &search{among: t.unpairedOn(h.route())}
		h.search = s
		s.among.requesters.Push(&s.inRoute, h)
	}
	if h.conn != nil && h.conn.Setup == flow.SetupCM && s.inSetUp.Value == nil {
		s.among.setUp.Push(&s.inSetUp, h)
	}
}

// paired removes a half that has found its other direction, or has ended.
func (t *Tracker) paired(h *requester) {
	s := h.search
	if s == nil {
		return
	}
	u := s.among
	h.withdrawQueue()
	for _, e := range s.matches.ring {
		u.withdraw(e, h)
	}
	if s.indexed {
		remove(u.byNext, s.bucket, h)
	}
	u.requesters.Remove(&s.inRoute)
	u.setUp.Remove(&s.inSetUp)
	h.search = nil
	if u.requesters.N+u.opposite.requesters.N == 0 {
		delete(t.unpaired, u.route)
		delete(t.unpaired, u.opposite.route)
	}
}

// offer enters a packet that the half keeps while it waits.
func (h *requester) offer(k *held) {
	u := h.search.among
	if k.xid.ok {
		u.enter(k.xid, h)
	}
	if !k.IB.OpCode.IsRequest() {
		return
	}
	if u.requests == nil {
		u.requests = make(map[uint32]*list.List[held])
	}
	same := u.requests[k.IB.PSN]
	if same == nil {
		same = new(list.List[held])
		u.requests[k.IB.PSN] = same
	}
	same.Push(&k.inRequests, k)
}

// withdrawQueue takes out what offer entered.
func (h *requester) withdrawQueue() {
	if h.search == nil {
		return
	}
	u := h.search.among
	for _, k := range h.queue {
		if k.xid.ok {
			u.withdraw(k.xid, h)
		}
		if k.inRequests.Value == nil {
			continue
		}
		same := u.requests[k.IB.PSN]
		if same.Remove(&k.inRequests); same.N == 0 {
			delete(u.requests, k.IB.PSN)
		}
	}
}

func (u *unpaired) enter(e xidKey, h *requester) {
	if u.matches == nil {
		u.matches = make(map[xidKey]holders)
	}
	add(u.matches, e, h)
}

func (u *unpaired) withdraw(e xidKey, h *requester) { remove(u.matches, e, h) }

// indexNext notes the PSN that the next request of a half carries, which keeps no packets.
func (h *requester) indexNext() {
	s, at := h.search, nextBucket(h.next)
	if s == nil || !h.known || s.indexed && s.bucket == at {
		return
	}
	if s.indexed {
		remove(s.among.byNext, s.bucket, h)
	}
	if s.among.byNext == nil {
		s.among.byNext = make(map[uint32]holders)
	}
	s.indexed, s.bucket = true, at
	add(s.among.byNext, at, h)
}

// nextBucket is by what a half is found among those that keep no packets: its next PSN
// without the last bits. What a response to recentPSNs requests answers lies in two
// of these.
func nextBucket(psn uint32) uint32 { return psn & 0xffffff / recentPSNs }

// holders are the halves that have something, and how often.
type holders struct {
	requester *requester // one of them
	times     int
	more      map[*requester]int // the others
}

// only is the half, nil if there are several or none.
func (s *holders) only() *requester {
	if len(s.more) > 0 {
		return nil
	}
	return s.requester
}

// all goes through them.
func (s *holders) all(yield func(*requester) bool) {
	if s.requester == nil || !yield(s.requester) {
		return
	}
	for h := range s.more {
		if !yield(h) {
			return
		}
	}
}

func add[K comparable](m map[K]holders, k K, h *requester) {
	s := m[k]
	switch {
	case s.requester == nil || s.requester == h:
		s.requester = h
		s.times++
	default:
		if s.more == nil {
			s.more = make(map[*requester]int)
		}
		s.more[h]++
	}
	m[k] = s
}

func remove[K comparable](m map[K]holders, k K, h *requester) {
	s := m[k]
	if s.requester != h {
		if s.more[h]--; s.more[h] == 0 {
			delete(s.more, h)
		}
		return
	}
	if s.times--; s.times > 0 {
		m[k] = s
		return
	}
	s.requester = nil
	for g, times := range s.more {
		s.requester, s.times = g, times
		delete(s.more, g)
		break
	}
	if s.requester == nil {
		delete(m, k)
		return
	}
	m[k] = s
}
