package scene

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// byIWARP plays the statements that only iWARP has.
func (p *player) byIWARP(c *cursor, name string) bool {
	switch name {
	case "terminate", "reset", "fin", "segment", "segments", "fpdu":
	default:
		return false
	}
	w := p.cur.iwarp
	if w == nil {
		c.fail("%s is a statement about iWARP", name)
		return true
	}
	d := c.direction()
	switch name {
	case "reset":
		w.Reset(d)
	case "fin":
		w.Close(d)
	case "terminate":
		codes := c.codes("LAYER/TYPE/CODE", 3)
		w.Terminate(d, build.Termination{Layer: codes[0], EType: codes[1], ECode: codes[2]})
	case "segment":
		p.segment(c, d)
	case "segments":
		for c.more() {
			if n := c.count("bytes of a segment"); n > 0 && n < 60000 {
				w.Cut(d, n)
			} else {
				c.fail("a segment has 1 to 59999 bytes")
			}
		}
	case "fpdu":
		p.fpdu(c, d)
	}
	return true
}

// segment is: segment client|server bytes [seq=+N].
func (p *player) segment(c *cursor, d build.Direction) {
	data := c.bytes("a segment")
	if len(data) > 60000 {
		c.fail("a segment has at most 60000 bytes")
	}
	at, has := "", false
	if c.accept("seq") {
		c.mark("=")
		at, has = c.word("a sequence number"), true
	}
	if p.err != nil {
		return
	}
	if has {
		p.cur.iwarp.SegmentAt(d, p.relative(c, at, p.cur.iwarp.NextSeq(d)), data)
	} else {
		p.cur.iwarp.Segment(d, data)
	}
}

// relative is a number of 32 bits: itself, or +N or -N from another.
func (p *player) relative(c *cursor, w string, from uint32) uint32 {
	if rest := strings.TrimLeft(w, "+-"); rest != w {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "+"), 0, 33)
		if err != nil {
			c.fail("%q is no distance", w)
		}
		return from + uint32(n)
	}
	return uint32(c.parse(w, "a number", 32))
}

// fpdu is: fpdu client|server bytes, or the fields of a DDP segment, and what is
// wrong with its frame.
func (p *player) fpdu(c *cursor, d build.Direction) {
	var u build.Untagged
	var t build.Tagged
	var options []build.FPDUOption
	data, plain := []byte(nil), c.peek().kind == text || len(c.tokens) > 1 && c.tokens[1].is("(")
	if plain {
		data = c.bytes("an FPDU")
	}
	tagged := false
	u.MSN, u.Last, t.Last = 0, true, true
	msn := "+0"
	for c.more() {
		name := c.one("tagged", "untagged", "more", "wrongcrc", "opcode", "stag", "to", "qn", "msn", "mo", "payload", "length", "pad", "wrongmarker")
		switch name {
		case "tagged", "untagged":
			tagged = name == "tagged"
			continue
		case "more":
			u.Last, t.Last = false, false
			continue
		case "wrongcrc":
			options = append(options, build.WrongCRC())
			continue
		}
		switch c.mark("="); name {
		case "opcode":
			u.OpCode = uint8(c.parse(c.word(name), name, 4))
			t.OpCode = u.OpCode
		case "stag":
			u.Invalidate = c.number32(name)
			t.STag = u.Invalidate
		case "to":
			t.TO = c.number64(name)
		case "qn":
			u.QN = c.number32(name)
		case "msn":
			msn = c.word(name)
		case "mo":
			u.MO = c.number32(name)
		case "payload":
			u.Payload = c.bytes(name)
			t.Payload = u.Payload
		case "length":
			options = append(options, build.StatedLength(int(c.parse(c.word(name), name, 16))))
		case "pad":
			options = append(options, build.PadWith(uint8(c.parse(c.word(name), name, 8))))
		case "wrongmarker":
			options = append(options, build.WrongMarker(c.number32(name)))
		}
	}
	switch {
	case plain:
	case tagged:
		data = t.Bytes()
	default:
		u.MSN = p.relative(c, msn, p.cur.iwarp.NextMSN(d, u.QN&3))
		data = u.Bytes()
	}
	if len(data) > 60000 {
		c.fail("an FPDU has at most 60000 bytes here")
	}
	if p.err == nil {
		p.cur.iwarp.FPDU(d, data, options...)
	}
}
