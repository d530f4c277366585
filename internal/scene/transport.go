package scene

import (
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// longest is the longest that a scene waits at once.
const longest = 24 * time.Hour

// transport plays the statements that both transports have.
func (p *player) transport(c *cursor, name string) bool {
	w := p.cur.wire()
	switch name {
	case "wait":
		s := c.word("a duration, as 50ms")
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > longest {
			c.fail("%q is no duration up to %s, as 50ms is", s, longest)
			return true
		}
		w.Wait(d)
	case "pfc":
		p.pause(c)
	case "version":
		p.cur.version = c.version()
	case "ack":
		w.Ack(c.direction())
	case "resend":
		if p.before == nil {
			c.fail("nothing was sent that could be sent again")
			return true
		}
		m := p.before
		if c.isNumber() {
			m = p.sentBy(c)
		}
		if p.err == nil {
			p.cur.again(m.span)
			p.result = nil
		}
	case "disconnect":
		d := build.ToServer
		if c.more() {
			d = c.direction()
		}
		p.disconnect(d)
	default:
		return false
	}
	return true
}

func (p *player) disconnect(d build.Direction) {
	if p.cur.roce != nil {
		p.cur.roce.DisconnectBy(d)
		return
	}
	p.cur.iwarp.Close(d)
	p.cur.iwarp.Close(d.Opposite())
	p.cur.iwarp.Ack(d)
}

// sentBy takes the number of a call and returns its Send.
func (p *player) sentBy(c *cursor) *sent {
	if e := p.exchange(c, c.number32("a call's number")); e.sent != nil {
		return e.sent
	}
	return &sent{}
}

// sendStatement is: send client|server bytes.
func (p *player) sendStatement(c *cursor, options []*cursor) {
	s := &sending{line: c.number, dir: c.direction(), hasPayload: true}
	data := c.bytes("what is sent")
	s.options(options, func(c *cursor, word string) bool { return false })
	if s.reads != nil || s.hasProc || s.hasXID || s.head.words != nil || s.head.cred != nil || s.head.verf != nil {
		c.fail("what is sent are plain bytes: no option about a header or chunk fits")
	}
	for _, e := range s.edits {
		data = e.apply(&p.trouble, data, nil)
	}
	if p.err != nil {
		return
	}
	p.result = p.cur.send(s.dir, data, s.hasInvalidate, s.invalidate)
	if s.lost {
		p.cur.wire().Wait(time.Millisecond)
		p.cur.again(p.result.span)
	}
	if !s.quiet {
		p.cur.wire().Ack(s.dir.Opposite())
	}
}

// rdma is: rdma write|read client|server HANDLE LENGTH[@OFFSET], where the side is who issues it.
func (p *player) rdma(c *cursor, options []*cursor) {
	what, d := c.one("write", "read"), c.direction()
	segments := c.plain()
	c.expectEnd()
	var data []byte
	request, lost, quiet := false, false, what == "read"
	answer, answered := 0, false
	for _, o := range options {
		switch o.one("data", "norespond", "answer", "lost", "noack") {
		case "data":
			data = o.bytes("data")
		case "norespond":
			request = true
		case "answer":
			answered = true
			answer = o.count("the bytes of the response")
		case "lost":
			lost = true
		case "noack":
			quiet = true
		}
		o.expectEnd()
	}
	first := len(p.cur.frames())
	for _, s := range segments {
		if p.spend(c.number, int(min(s.Length, most+1))); p.err != nil {
			return
		}
		content := append(append([]byte{}, data...), p.cur.held(s.Handle, s.Offset, int(s.Length))[min(len(data), int(s.Length)):]...)[:s.Length]
		switch w := p.cur.wire(); {
		case what == "write":
			w.Write(d, s.Handle, s.Offset, content)
		case request && p.cur.roce != nil:
			p.cur.roce.ReadRequest(d, s.Handle, s.Offset, int(s.Length))
		case request:
			p.cur.iwarp.ReadRequest(d, s.Handle, s.Offset, int(s.Length))
		case answered:
			p.cur.answer(d, s, append(content, make([]byte, answer)...)[:answer])
		default:
			w.Read(d, s.Handle, s.Offset, content)
		}
	}
	if what == "write" && lost {
		p.cur.wire().Wait(time.Millisecond)
		p.cur.again(build.Span{First: first, End: len(p.cur.frames())})
	}
	if !quiet {
		p.cur.wire().Ack(d.Opposite())
	}
}

// answer reads a segment, and answers with bytes that may be more or fewer than it has.
func (c *conn) answer(d build.Direction, s build.Segment, data []byte) {
	if c.roce != nil {
		c.roce.ReadResponse(c.roce.ReadRequest(d, s.Handle, s.Offset, int(s.Length)), data)
	} else {
		c.iwarp.ReadResponse(c.iwarp.ReadRequest(d, s.Handle, s.Offset, int(s.Length)), data)
	}
}

// codes takes numbers with / between them.
func (c *cursor) codes(what string, n int) []uint8 {
	parts := strings.Split(c.word(what), "/")
	list := make([]uint8, n)
	if len(parts) != n {
		c.fail("%s has %d numbers with / between them", what, n)
		return list
	}
	for i, part := range parts {
		list[i] = uint8(c.parse(part, what, 8))
	}
	return list
}
