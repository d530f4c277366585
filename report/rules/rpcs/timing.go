package rpcs

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A timing is when what was moved for an RPC was moved, in nanoseconds since 1970;
// 0 for what was not.
type timing struct {
	rpc                                        *dissect.RPC // nil: not in use
	firstRead, lastRead, firstWrite, lastWrite int64
	retransmissions, rnrs                      int64 // of the connection, when it was called
}

// moved notes an RDMA operation.
func (s *timing) moved(a *dissect.Access) {
	switch a.Kind {
	case dissect.AccessRead:
		if s.firstRead == 0 {
			s.firstRead = a.Time
		}
	case dissect.AccessReadData:
		s.lastRead = a.Time
	case dissect.AccessWrite:
		if s.firstWrite == 0 {
			s.firstWrite = a.Time
		}
		s.lastWrite = a.Time
	}
}

// slotBits is how many timings are kept, as a power of two.
const slotBits = 6

// timings are those of the RPCs that are open, by a hash of their XIDs. Of two that
// fall on the same slot the newer has it.
type timings struct {
	// slots are the places in list of the timings, counted from 1, 0 for none.
	slots [1 << slotBits]uint8
	list  []timing
	free  []uint8 // those places of list that are not in use
}

// slot is that of an XID.
func (t *timings) slot(xid uint32) *uint8 {
	const spread = 0x9e3779b1 // 2^32 divided by the golden ratio: XIDs may count in any octet
	return &t.slots[xid*spread>>(32-slotBits)]
}

// begin enters an RPC that was called.
func (t *timings) begin(x timing) {
	s := t.slot(x.rpc.XID)
	if *s == 0 {
		if n := len(t.free); n > 0 {
			*s, t.free = t.free[n-1], t.free[:n-1]
		} else {
			t.list = append(t.list, timing{})
			*s = uint8(len(t.list))
		}
	}
	t.list[*s-1] = x
}

// end forgets an RPC that is over.
func (t *timings) end(r *dissect.RPC) {
	if s := t.slot(r.XID); *s != 0 && t.list[*s-1].rpc == r {
		t.list[*s-1] = timing{}
		t.free = append(t.free, *s)
		*s = 0
	}
}

// of is the timing of an RPC, nil if it was lost.
func (t *timings) of(r *dissect.RPC) *timing {
	if s := *t.slot(r.XID); s != 0 && t.list[s-1].rpc == r {
		return &t.list[s-1]
	}
	return nil
}

// A part is a stretch of the time between a call and its reply.
type part struct {
	name string
	ns   int64
}

// breakdown is where the time went.
type breakdown struct {
	longest part
	text    string
}

// parts breaks down the time that an RPC took.
func (s *timing) parts(c *rules.Conn, r *dissect.RPC) (b breakdown) {
	responder := c.Sender(r.Requester.Peer())
	var text strings.Builder
	add := func(name string, from, to int64) int64 {
		if from == 0 || to < from {
			return from
		}
		p := part{name, to - from}
		if p.ns > b.longest.ns || b.longest.name == "" {
			b.longest = p
		}
		if text.Len() > 0 {
			text.WriteString(", ")
		}
		text.WriteString(rules.Duration(p.ns) + " " + name)
		return to
	}
	at := r.Call.Last
	if s.firstRead != 0 {
		at = add("until the "+responder+" began to read chunks", at, s.firstRead)
		at = add("to read chunks", at, s.lastRead)
	}
	if s.firstWrite != 0 {
		at = add("in the "+responder, at, s.firstWrite)
		at = add("to write chunks", at, s.lastWrite)
		add("until the reply was sent", at, r.Reply.First)
	} else {
		add("in the "+responder, at, r.Reply.First)
	}
	b.text = text.String()
	return b
}
