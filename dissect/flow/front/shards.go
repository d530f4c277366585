package front

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// shards knows which shard follows what.
type shards struct {
	n      int
	load   []int64 // frames of each, lately
	all    int64   // frames since load was halved
	queues names[queuePair, int]
	setups names[commID, *setup]
	pairs  table[hosts, *pair]
	cm     rocev2.CM

	lastQueues [2]placed[queuePair]
}

// A placed name was asked for last.
type placed[K comparable] struct {
	name  K
	shard int
	valid bool
}

// A queuePair is one of dst, for packets of src.
type queuePair struct {
	src, dst link.Addr
	number   uint32
}

// hosts are two hosts, in the order of their addresses.
type hosts struct{ a, b link.Addr }

// A pair is what is known of two hosts.
type pair struct {
	hosts
	// shard is where setups that are not complete are, and packets of which no
	// setup was seen.
	shard int
	// unknown says that there were such packets: the shard is the same from then on.
	unknown bool
	pending int // setups that are not complete
}

// reload is after how many frames the load counts half.
const reload = 1 << 16

// letGo forgets what is between addresses that are chosen.
func (s *shards) letGo(which flow.Between) {
	s.queues.forget(func(q queuePair, _ int) bool { return which(q.src, q.dst) })
	s.setups.forget(func(_ commID, x *setup) bool { return which(x.of.a, x.of.b) })
	s.pairs.forget(func(h hosts, _ *pair) bool { return which(h.a, h.b) })
	s.lastQueues = [2]placed[queuePair]{}
}

// count counts a frame of a shard.
func (s *shards) count(shard int) {
	s.load[shard]++
	if s.all++; s.all >= reload {
		s.all = 0
		for i := range s.load {
			s.load[i] /= 2
		}
	}
}

// least is the shard that had the least to do lately.
func (s *shards) least() (shard int) {
	for i, n := range s.load {
		if n < s.load[shard] {
			shard = i
		}
	}
	return shard
}

// ofStream is the shard of a TCP connection.
func (s *shards) ofStream(c *stream) int {
	if !c.placed {
		c.shard, c.placed = s.least(), true
	}
	return c.shard
}

// ofPacket is the shard of a packet of the InfiniBand transport.
func (s *shards) ofPacket(f *flow.Frame, damaged bool) (shard int, retired []Expired) {
	if f.IB.OpCode.Transport() == rocev2.TransportUD {
		if !f.IB.Faulty() && rocev2.IsCM(f.IB.DestQP, f.IB.QKey()) {
			return s.ofManagement(f, damaged)
		}
		return 0, nil
	}
	name := queuePair{f.Link.Src(), f.Link.Dst(), f.IB.DestQP}
	for i := range s.lastQueues {
		if l := &s.lastQueues[i]; l.valid && l.name == name {
			return l.shard, nil
		}
	}
	shard, ok := s.queues.findName(name)
	if !ok {
		// No entry of its own: a pair's shard is one for all of these.
		p := s.pairOf(f)
		p.unknown = p.unknown || !damaged
		return p.shard, nil
	}
	s.lastQueues[0], s.lastQueues[1] = placed[queuePair]{name, shard, true}, s.lastQueues[0]
	return shard, nil
}

// pairOf is what is known of the hosts of a frame.
func (s *shards) pairOf(f *flow.Frame) *pair {
	h := hosts{f.Link.Src(), f.Link.Dst()}
	if h.b.Less(h.a) {
		h.a, h.b = h.b, h.a
	}
	p, ok := s.pairs.findEntry(h)
	if !ok {
		p = &pair{hosts: h, shard: s.least()}
		s.pairs.most = mostPairs
		s.pairs.set(h, p)
	}
	return p
}
