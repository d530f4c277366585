package scene

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// byRoCE plays the statements that only RoCE has.
func (p *player) byRoCE(c *cursor, name string) bool {
	switch name {
	case "nak", "rnr", "cnp", "packet":
	default:
		return false
	}
	if p.cur.roce == nil {
		c.fail("%s is a statement about RoCE", name)
		return true
	}
	d := c.direction()
	switch name {
	case "cnp":
		p.cur.roce.CNP(d)
	case "packet":
		p.packet(c, d)
	case "nak":
		syndrome := c.choice("sequence", 0x60, "invalid", 0x61, "access", 0x62, "operational", 0x63)
		if psn := p.refused(c, d); p.err == nil {
			p.cur.roce.Nak(d, psn, uint8(syndrome))
		}
	case "rnr":
		timer := c.number32("a timer code")
		if psn := p.refused(c, d); p.err == nil {
			p.cur.roce.RNR(d, psn, uint8(timer))
		}
	}
	return true
}

// refused is the PSN that a negative acknowledgement in direction d is about:
// that of the other side's last Send, or of a call's.
func (p *player) refused(c *cursor, d build.Direction) uint32 {
	m := p.cur.last[d.Opposite()]
	if c.accept("of") {
		m = p.sentBy(c)
	}
	if c.accept("psn") {
		return p.psn(c, d.Opposite(), c.word("a PSN"))
	}
	if m == nil {
		return p.cur.roce.NextPSN(d.Opposite())
	}
	return m.first
}

// psn is a PSN: a number, or +N or -N from the next of a direction.
func (p *player) psn(c *cursor, d build.Direction, w string) uint32 {
	if rest := strings.TrimLeft(w, "+-"); rest != w {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "+"), 0, 25)
		if err != nil {
			c.fail("%q is no distance of PSNs", w)
		}
		return (p.cur.roce.NextPSN(d) + uint32(n)) & 0xffffff
	}
	return uint32(c.parse(w, "a PSN", 24))
}

// packet takes the fields of a packet and sends it.
func (p *player) packet(c *cursor, d build.Direction) {
	bth := build.BTH{PSN: p.cur.roce.NextPSN(d)}
	var layers []build.Layer
	take := 0
	for c.more() {
		switch name := c.one("opcode", "psn", "of", "qpn", "tver", "pkey", "se", "ackreq", "reth", "aeth", "ieth", "immdt", "payload", "take", "badicrc"); name {
		case "se":
			bth.SE = true
		case "ackreq":
			bth.AckReq = true
		case "badicrc":
			layers = append(layers, build.BadICRC{})
		default:
			c.mark("=")
			p.packetField(c, d, name, &bth, &layers, &take)
		}
	}
	if p.err == nil {
		p.cur.roce.Packet(d, bth, layers...)
		p.cur.roce.TakePSN(d, take)
	}
}

func (p *player) packetField(c *cursor, d build.Direction, name string, bth *build.BTH, layers *[]build.Layer, take *int) {
	var layer build.Layer
	switch name {
	case "opcode":
		bth.OpCode = uint8(c.parse(c.word(name), name, 8))
	case "psn":
		bth.PSN = p.psn(c, d, c.word(name))
	case "of": // in the other direction's numbers, as of responses
		bth.PSN = p.psn(c, d.Opposite(), c.word(name))
	case "qpn":
		bth.DestQP = uint32(c.parse(c.word(name), name, 24))
	case "tver":
		bth.TVer = uint8(c.parse(c.word(name), name, 4))
	case "pkey":
		bth.PKey = uint16(c.parse(c.word(name), name, 16))
	case "take":
		*take = c.count("a number of PSNs")
	case "reth":
		n := c.numbers(name, 3)
		layer = build.RETH{RKey: uint32(n[0]), DMALen: uint32(n[1]), VA: n[2]}
	case "aeth":
		n := c.numbers(name, 2)
		layer = build.AETH{Syndrome: uint8(n[0]), MSN: uint32(n[1])}
	case "ieth":
		layer = build.IETH{RKey: c.number32(name)}
	case "immdt":
		layer = build.ImmDt{Data: c.number32(name)}
	case "payload":
		data := c.bytes(name)
		if len(data) > 4096 {
			c.fail("a packet has at most 4096 bytes")
		}
		layer = build.Payload(data)
	}
	if layer != nil {
		*layers = append(*layers, layer)
	}
}

// numbers takes n numbers in [ ].
func (c *cursor) numbers(what string, n int) []uint64 {
	list := make([]uint64, n)
	c.mark("[")
	for i := range list {
		list[i] = c.number64(what)
	}
	c.mark("]")
	return list
}
