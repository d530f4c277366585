package scene

import (
	"cmp"

	"github.com/rdmacap/rdmacap/internal/build"
)

// errorStatement is: error ID [client|server] CODE, where what goes with the code
// follows it.
func (p *player) errorStatement(c *cursor, options []*cursor) {
	id := c.number32("the call's number")
	e, dir := p.exchanges[id], build.ToClient
	if who := c.peek().text; who == "client" || who == "server" {
		dir = c.direction()
		e = cmp.Or(e, &exchange{call: &call{}, xid: xidOf(id)})
	} else {
		e = p.exchange(c, id)
		dir = e.dir.Opposite()
	}
	s := &sending{line: c.number, dir: dir}
	h := build.Header{XID: e.xid, Proc: build.ERROR}
	h.Err = c.choice("ERR_VERS", build.ErrVers, "ERR_CHUNK", build.ErrChunk, "BAD_XDR", build.Err2BadXDR,
		"CANT_REPLY", build.Err2CantReply, "INVAL_PROC", build.Err2InvalidProc, "INVAL_OPTION", build.Err2InvalidOption)
	switch {
	case h.Err == build.ErrVers:
		h.Low, h.High = c.number32("the lowest version"), c.number32("the highest version")
	case h.Err == build.Err2CantReply && c.more():
		s.processed = c.choice("FALSE", 0, "TRUE", 1)
		s.index, s.needed = c.number32("a segment's number"), c.number32("a length")
	}
	c.expectEnd()
	s.options(options, func(*cursor, string) bool { return false })
	if s.hasXID {
		h.XID = s.xid
	}
	if p.err == nil {
		s.complete(cmp.Or(e.version, p.cur.version), build.DirectionReply)
		h.Credits = p.cur.credits(s.dir)
		p.send(s, h, nil)
	}
}
