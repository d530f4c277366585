package qp

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// RetireQueuePair lets go of what used a queue pair of dst, for packets of src, that
// serves a connection of another shard now: as direct does in one.
func (t *Tracker) RetireQueuePair(src, dst link.Addr, qpn uint32) {
	for _, service := range [...]rocev2.Transport{rocev2.TransportRC, rocev2.TransportUC, rocev2.TransportXRC} {
		k := key{src, dst, qpn, service}
		switch h := t.halves[k]; {
		case h == nil:
		case h.conn == nil:
			t.release(h) // what waits is older than the other connection
			t.Replace(&h.conn.Conn)
		default:
			t.Replace(&h.conn.Conn)
		}
		delete(t.marks, k)
		delete(t.evicted, k)
	}
	t.last = [2]*half{}
}

// RetireSetup lets go of the connection whose communication ID at an address names one
// of another shard now, as connectRequest does in one.
func (t *Tracker) RetireSetup(addr link.Addr, id uint32) {
	if c := t.setups[commKey{addr, id}]; c != nil && !c.IsClosed() {
		t.Replace(&c.Conn)
	}
}
