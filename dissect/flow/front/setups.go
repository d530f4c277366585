package front

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A commID names one end of a connection in connection management.
type commID struct {
	addr link.Addr
	id   uint32
}

// A setup is one that connection management made, or began to.
type setup struct {
	shard    int
	of       *pair
	id       commID // that of the REQ
	qpn, psn uint32 // of the REQ, if asked
	asked    bool
	// peer is the communication ID of the REP, peerQPN its queue pair, if answered.
	peer, peerQPN uint32
	answered      bool
	pending       bool // it counts in of.pending
}

// ofManagement is the shard of a message of connection management.
func (s *shards) ofManagement(f *flow.Frame, damaged bool) (shard int, retired []Expired) {
	m, p := &s.cm, s.pairOf(f)
	if damaged || !m.Decode(f.IB.Payload()) || !m.Enough() {
		return p.shard, nil
	}
	src, dst := f.Link.Src(), f.Link.Dst()
	switch m.Kind {
	case rocev2.CMReq:
		return s.request(p, commID{src, m.LocalCommID}, queuePair{dst, src, m.QPN}, m.StartingPSN)
	case rocev2.CMRep:
		return s.reply(p, commID{dst, m.RemoteCommID}, commID{src, m.LocalCommID}, queuePair{dst, src, m.QPN})
	}
	x, ok := s.setups.findName(commID{src, m.LocalCommID})
	if !ok || m.LocalCommID == 0 {
		x, ok = s.setups.findName(commID{dst, m.RemoteCommID})
	}
	if !ok {
		return p.shard, nil
	}
	switch m.Kind {
	case rocev2.CMRej:
		x.settled()
		s.endSetup(x)
	case rocev2.CMDrep, rocev2.CMDreq:
		s.endSetup(x)
	}
	return x.shard, nil
}

// endSetup says that what was set up has ended: few frames of it will come, if any.
func (s *shards) endSetup(x *setup) {
	server := x.server()
	if s.is(x.id, x) {
		s.setups.endName(x.id)
	}
	if x.asked {
		s.queues.endName(queuePair{server.addr, x.id.addr, x.qpn})
	}
	if x.answered {
		if s.is(server, x) {
			s.setups.endName(server)
		}
		s.queues.endName(queuePair{x.id.addr, server.addr, x.peerQPN})
	}
}

// server names its other end, if answered.
func (x *setup) server() commID {
	if x.of.a == x.id.addr {
		return commID{x.of.b, x.peer}
	}
	return commID{x.of.a, x.peer}
}

// name remembers the names that a REQ or a REP gives a setup: for long if the other one was
// seen too, and then its names as well.
func (s *shards) name(x *setup, id commID, queue queuePair) {
	s.lastQueues = [2]placed[queuePair]{}
	if !x.asked || !x.answered {
		s.setups.beginName(id, x)
		s.queues.beginName(queue, x.shard)
		return
	}
	s.setups.set(id, x)
	s.queues.set(queue, x.shard)
	server := x.server()
	s.setups.keep(x.id)
	s.setups.keep(server)
	s.queues.keep(queuePair{server.addr, x.id.addr, x.qpn})
	s.queues.keep(queuePair{x.id.addr, server.addr, x.peerQPN})
}

// is reports whether an ID is of a setup still.
func (s *shards) is(id commID, x *setup) bool {
	now, ok := s.setups.findName(id)
	return ok && now == x
}

// settled notes that nothing else can turn out to be of the setup.
func (x *setup) settled() {
	if x.pending {
		x.pending = false
		x.of.pending--
	}
}

// request is the shard of a REQ, which names the queue pair of its sender.
func (s *shards) request(p *pair, id commID, queue queuePair, psn uint32) (shard int, retired []Expired) {
	before, known := s.setups.findName(id)
	// What has the ID with another host is another connection's, which has ended.
	same := known && before.of.hosts == p.hosts
	if same && before.asked && before.qpn == queue.number && before.psn == psn {
		return before.shard, nil // sent again
	}
	used, named := s.queues.findName(queue)
	switch {
	case same && !before.asked: // the REP came before it
		shard = before.shard
	case p.unknown || p.pending > 0:
		shard = p.shard
	case known:
		shard = before.shard
	case named:
		shard = used
	default:
		shard = s.least()
	}
	if known {
		before.settled()
		if (before.asked || !same) && before.shard != shard {
			retired = append(retired, Expired{Shard: before.shard, Src: id.addr, Number: id.id, CommID: true})
		}
	}
	if named && used != shard {
		retired = append(retired, Expired{Shard: used, Src: queue.src, Dst: queue.dst, Number: queue.number})
	}
	x := before
	if !same || before.asked {
		x = s.beginSetup(p, &setup{shard: shard, id: id})
	}
	x.qpn, x.psn, x.asked = queue.number, psn, true
	s.name(x, id, queue)
	return shard, retired
}

// beginSetup counts a setup that is not complete.
func (s *shards) beginSetup(p *pair, x *setup) *setup {
	x.of, x.pending = p, true
	p.pending++
	p.shard = x.shard
	return x
}

// reply is the shard of a REP, which names the setup by the other's communication ID,
// and the queue pair of its sender.
func (s *shards) reply(p *pair, asked, id commID, queue queuePair) (shard int, retired []Expired) {
	x, known := s.setups.findName(asked)
	used, named := s.queues.findName(queue)
	if known {
		x.settled()
	}
	if !known || x.of.hosts != p.hosts || x.answered && x.peer != id.id { // the REQ is not in the capture
		before := x
		x = &setup{id: asked}
		switch {
		case p.unknown || p.pending > 0:
			x.shard = p.shard
		case known:
			x.shard = before.shard
		case named:
			x.shard = used
		default:
			x.shard = s.least()
		}
		if known && before.shard != x.shard {
			retired = append(retired, Expired{Shard: before.shard, Src: asked.addr, Number: asked.id, CommID: true})
		}
		s.setups.beginName(asked, s.beginSetup(p, x))
	}
	x.answered, x.peer, x.peerQPN = true, id.id, queue.number
	if named && used != x.shard {
		retired = append(retired, Expired{Shard: used, Src: queue.src, Dst: queue.dst, Number: queue.number})
	}
	s.name(x, id, queue)
	return x.shard, retired
}
