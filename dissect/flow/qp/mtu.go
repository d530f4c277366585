package qp

import "github.com/rdmacap/rdmacap/rocev2"

// learnMTU takes the path MTU from a packet that is full by definition. There
// are five of them (IBA 9.2.4: 256 to 4096 bytes); a packet of another size
// teaches nothing.
func (c *qpConn) learnMTU(ib *rocev2.Packet) {
	switch ib.OpCode.Position() {
	case rocev2.PositionFirst, rocev2.PositionMiddle:
		if n := ib.PayloadLength(); n != c.PathMTU && validMTU(n) {
			c.setMTU(n)
		}
	}
}

func validMTU(n int) bool { return n >= 256 && n <= 4096 && n&(n-1) == 0 }

// setMTU settles how many PSNs the READ requests took.
func (c *qpConn) setMTU(n int) {
	c.PathMTU = n
	for _, h := range c.requesters {
		if h != nil {
			h.recount(n)
		}
	}
}

// recount counts the PSNs of the READ requests anew. If the last request was
// one, the next comes after them.
func (h *requester) recount(mtu int) {
	for i, r := range h.reads.list {
		before := max(r.count, 1)
		r.count = packets(r.Length, mtu)
		r.Point.Last = rocev2.PSNAdd(r.Point.First, int(r.count)-1)
		if i == len(h.reads.list)-1 && h.next == rocev2.PSNAdd(r.Point.First, int(before)) {
			h.next = rocev2.PSNAdd(r.Point.First, int(r.count))
		}
	}
	if h.slack != unsized {
		h.slack = 0
	}
}

// packets is how many packets length bytes take: at least one.
func packets(length uint32, mtu int) uint32 {
	return max(1, uint32((uint64(length)+uint64(mtu)-1)/uint64(mtu)))
}
