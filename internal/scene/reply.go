package scene

import (
	"github.com/rdmacap/rdmacap/internal/build"
)

// replying is what a text says of a reply beside its Send.
type replying struct {
	inline, unused bool
	place          map[int]int // bytes really written, by chunk from 0; replyChunk
	fill           map[int]*target
	returns        bool // in place of the echo of Write chunks
	writes         [][]build.Segment
	returnsReply   bool
	reply          []build.Segment
}

// replyChunk is the Reply chunk among chunks that have numbers.
const replyChunk = -1

func (r *replying) option(c *cursor, word string) bool {
	switch word {
	case "inline":
		r.inline = true
	case "unused":
		r.unused = true
	case "place":
		which := 0
		if c.accept("replychunk") {
			which = replyChunk
		} else if len(c.tokens) > 1 {
			which = c.count("a chunk's number") - 1
		}
		if c.accept("none") {
			r.place[which] = 0
		} else {
			r.place[which] = c.count("a number of bytes")
		}
	case "fill":
		which := c.count("a chunk's number") - 1
		r.fill[which] = c.target()
	case "returns":
		r.returning(c)
	default:
		return false
	}
	return true
}

// returning takes what the reply says of chunks in place of what was done.
func (r *replying) returning(c *cursor) {
	switch c.one("write", "replychunk", "none") {
	case "write":
		r.returns = true
		r.writes = append(r.writes, c.writable().segments)
	case "replychunk":
		r.returnsReply = true
		if !c.accept("none") {
			r.reply = append([]build.Segment{}, c.writable().segments...)
		}
	case "none":
		r.returns, r.returnsReply = true, true
	}
}

// replyStatement is: reply ID status or result.
func (p *player) replyStatement(c *cursor, options []*cursor) {
	e := p.exchange(c, c.number32("the call's number"))
	s := &sending{line: c.number, dir: e.dir.Opposite()}
	r := &replying{place: make(map[int]int), fill: make(map[int]*target)}
	s.options(options, func(c *cursor, word string) bool {
		s.plain = s.plain || word == "plain"
		return word == "plain" || r.option(c, word)
	})
	if p.err != nil {
		return
	}
	xid := e.xid
	if s.hasXID {
		xid = s.xid
	}
	m := e.call.reply(c, xid, &e.head, &s.head)
	if c.expectEnd(); p.err != nil {
		return
	}
	h := build.Header{XID: xid, Credits: p.cur.credits(s.dir)}
	h.Reads, _ = s.readList(&p.trouble, m)
	moved := p.place(e, s, r, m, &h)
	inline := s.reduced(&p.trouble, m, moved)
	if h.Reply = nil; e.header.Reply != nil {
		var content []byte
		if !r.inline && len(e.header.Reply) > 0 {
			h.Proc, content, inline = build.NOMSG, inline, nil
		}
		h.Reply = p.fill(e, r, s, replyChunk, e.header.Reply, content)
	}
	if r.returns {
		h.Writes = r.writes
	}
	if r.returnsReply {
		h.Reply = r.reply
	}
	if s.complete(e.version, build.DirectionReply); s.version == 2 {
		s.answers(e)
	}
	if p.err == nil {
		p.send(s, h, inline)
	}
}

// place lets items go into the Write chunks: the k-th into the k-th, unless that
// is empty or the text says otherwise. It returns those that went.
func (p *player) place(e *exchange, s *sending, r *replying, m *message, h *build.Header) (moved []item) {
	eligible := m.eligible()
	for k, chunk := range e.header.Writes {
		var it item
		used := k < len(eligible) && !r.unused
		if used {
			it = eligible[k]
		}
		if t := r.fill[k]; t != nil {
			it, used = t.findItem(&p.trouble, m)
		}
		var data []byte
		if used && len(chunk) > 0 {
			data = m.bytes[it.start : it.start+it.length]
			moved = append(moved, it)
		}
		h.Writes = append(h.Writes, p.fill(e, r, s, k, chunk, data))
	}
	return moved
}

// fill writes bytes into a chunk and returns the chunk as the reply reports it.
func (p *player) fill(e *exchange, r *replying, s *sending, which int, chunk []build.Segment, data []byte) []build.Segment {
	told := append([]build.Segment{}, chunk...)
	pieces, left := split(chunk, data)
	for i := range told {
		told[i].Length = uint32(len(pieces[i]))
	}
	if n, has := r.place[which]; has {
		data = append(append([]byte{}, data...), make([]byte, max(0, n-len(data)))...)[:n]
		pieces, _ = split(chunk, data)
	} else if len(left) > 0 {
		p.failf(s.line, "%d bytes do not fit the chunk, which lacks %d: see place and returns", len(data), len(left))
	}
	for i, seg := range chunk {
		if p.spend(s.line, len(pieces[i])); len(pieces[i]) > 0 && p.err == nil {
			p.cur.wire().Write(e.dir.Opposite(), seg.Handle, seg.Offset, pieces[i])
		}
	}
	return told
}
