package scene

import (
	"cmp"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An exchange is a call that was made, to be replied to.
type exchange struct {
	call   *call
	head   head
	xid    uint32
	dir    build.Direction // of the call
	header build.Header
	sent   *sent
	// version is that of the call's header, inv its rdma_inv_handle.
	version, inv uint32
	// alone is an OPTIONAL that is no call.
	alone bool
}

// xidOf is the xid of a call whose text says none.
func xidOf(id uint32) uint32 { return 0x1000 + id }

// callStatement is: call ID PROGRAM PROCEDURE arguments, call ID again, call ID like OTHER.
func (p *player) callStatement(c *cursor, options []*cursor, d build.Direction) {
	id := c.number32("the call's number")
	e := &exchange{xid: xidOf(id), dir: d}
	switch {
	case c.accept("again"):
		before := p.exchange(c, id)
		e.call, e.head, e.xid = before.call, before.head, before.xid
	case c.accept("like"):
		before := p.exchange(c, c.number32("a call's number"))
		e.call, e.head = before.call, before.head
	case d == build.ToClient && strings.HasPrefix(c.peek().text, "CB_"):
		e.call = p.callOf(c, c.named(p.spec.Program(programCB).Version(1), c.word("a procedure")))
	default:
		e.call = p.call(c)
	}
	c.expectEnd()
	s := &sending{line: c.number, dir: d, head: e.head}
	pulls, limit := true, -1
	s.options(options, func(c *cursor, word string) bool {
		switch word {
		case "write":
			s.writes = append(s.writes, c.writable())
		case "replychunk":
			s.replychunk = c.writable()
		case "long":
			if s.long = c.chunk(); s.long.at != nil {
				c.fail("the Position of a long message is 0")
			}
		case "nopull":
			pulls = false
		case "pull":
			limit = c.count("a number of bytes")
		default:
			return false
		}
		return true
	})
	if p.err != nil {
		return
	}
	p.exchanges[id] = e
	p.makeCall(e, s)
	if pulls && p.err == nil {
		p.pull(e, limit)
	}
}

// makeCall sends the call.
func (p *player) makeCall(e *exchange, s *sending) {
	if s.hasXID {
		e.xid = s.xid
	}
	e.head = s.head
	m := e.call.message(&p.trouble, e.xid, &e.head)
	h := build.Header{XID: e.xid, Credits: p.cur.credits(s.dir)}
	reads, moved := s.readList(&p.trouble, m)
	inline := s.reduced(&p.trouble, m, moved)
	if p.err != nil {
		return
	}
	if s.long != nil {
		h.Proc = build.NOMSG
		s.long.fit(len(inline))
		for _, seg := range s.long.segments {
			h.Reads = append(h.Reads, build.ReadSegment{Segment: seg})
		}
		p.cur.hold(s.long.segments, inline)
		inline = nil
	}
	for i, k := range s.reads {
		it := moved[i]
		p.cur.hold(k.segments, m.bytes[it.start:min(len(m.bytes), it.start+it.padded())])
	}
	h.Reads = append(h.Reads, reads...)
	for _, k := range s.writes {
		h.Writes = append(h.Writes, k.segments)
	}
	if s.replychunk != nil {
		h.Reply = append([]build.Segment{}, s.replychunk.segments...)
	}
	s.complete(p.cur.version, build.DirectionCall)
	e.header, e.version, e.inv = h, s.version, s.inv
	e.sent = p.send(s, h, inline)
}

// pull lets the responder read the Read chunks, of limit bytes in all unless
// that is negative.
func (p *player) pull(e *exchange, limit int) {
	for _, r := range e.header.Reads {
		n := min(int(r.Length), largest)
		if limit >= 0 {
			n = min(n, limit)
			limit -= n
		}
		if p.spend(0, n); n > 0 && p.err == nil {
			p.cur.wire().Read(e.dir.Opposite(), r.Handle, r.Offset, p.cur.held(r.Handle, r.Offset, n))
		}
	}
}

// exchange is the call with that number; an empty one, and an error, if there
// is none.
func (p *player) exchange(c *cursor, id uint32) *exchange {
	e := p.exchanges[id]
	if e == nil {
		c.fail("there is no call %d", id)
	}
	return cmp.Or(e, &exchange{call: &call{}})
}
