package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// ExpireQueuePair lets go of what used a queue pair of dst, for packets of src, that
// serves a connection of another shard now: as direct does in one.
func (t *Tracker) ExpireQueuePair(src, dst link.Addr, qpn uint32) {
	at := t.At
	t.At.Phase, t.At.Order = flow.Retiring, byQueuePair
	for _, service := range [...]rocev2.Transport{rocev2.TransportRC, rocev2.TransportUC, rocev2.TransportXRC} {
		k := key{src, dst, qpn, service}
		switch h := t.requesters[k]; {
		case h == nil:
		case h.conn == nil:
			t.release(h) // what waits is older than the other connection
			t.replace(h.conn, byQueuePair)
		default:
			t.replace(h.conn, byQueuePair)
		}
		delete(t.marks, k)
		delete(t.evicted, k)
	}
	t.last, t.At = [2]*requester{}, at
}

// ExpireSetup lets go of the connection whose communication ID at an address names one
// of another shard now, as connectRequest does in one.
func (t *Tracker) ExpireSetup(addr link.Addr, id uint32) {
	if c := t.setups[commKey{addr, id}]; c != nil && !c.IsClosed() {
		t.replace(c, byID)
	}
}

// What a setup does, in its order: flow.Position says so, for what is replaced may be
// in several shards.
const (
	byID        = iota // what has its communication ID is replaced
	anew               // the connection is made
	byQueuePair        // what has its queue pair is replaced
)

// replace ends a connection whose names serve a new one.
func (t *Tracker) replace(c *qpConn, by int64) {
	at := t.At
	t.At.Phase, t.At.Order = flow.Retiring, by
	t.Replace(&c.Conn)
	t.At = at
}
