package scene

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/internal/build"
)

// parseMPA takes what a text says of MPA.
func (m *mpa) parseMPA(c *cursor) {
	for c.more() {
		switch name := c.one("revision", "markers", "crc", "plain", "rtr", "badkey", "reserved", "pdlength"); name {
		case "plain":
			m.plain = true
		case "revision":
			c.mark("=")
			m.revision = uint8(c.parse(c.word(name), name, 8))
		case "crc", "markers":
			m.parties(c, name)
		case "rtr":
			c.mark("=")
			m.rtr = build.RTR(c.choice("send", int(build.RTRSend), "write", int(build.RTRWrite), "read", int(build.RTRRead)))
			if m.rtr > build.RTRRead {
				c.fail("rtr is send, write or read")
			}
		case "badkey":
			c.mark("=")
			m.badKey[c.direction()] = true
		case "reserved":
			c.mark("=")
			m.reserved[c.direction()] = true
		case "pdlength":
			c.mark("=")
			v := c.numbers(name, 2)
			m.length = [2]int{int(uint16(v[0])), int(uint16(v[1]))}
		}
	}
}

// parties takes whose start frame asks for CRC or markers: client, server, or
// both, which nothing means too.
func (m *mpa) parties(c *cursor, name string) {
	side := "both"
	if c.peek().is("=") {
		c.takeToken()
		side = c.one("client", "server", "both")
	}
	client, server := side != "server", side != "client"
	if name == "crc" {
		m.clientCRC, m.serverCRC = client, server
	} else {
		m.toClient, m.toServer = client, server
	}
}

func (s *setup) iwarp(p *player, client, server build.Host) *build.IWARP {
	mss := 1448
	if client.Addr.Is6() {
		mss = 1428
	}
	w := build.IWARPSetup{
		Client: client, Server: server, Start: p.clock, Service: uint16(s.number("port", 0)),
		ClientISN: 0x3d319c7f + uint32(len(p.conns))<<20, ServerISN: 0x5593a615 + uint32(len(p.conns))<<20,
		MSS: s.within(p, "mss", uint64(mss), 128, 9000), TSO: s.within(p, "tso", 0, 0, 60000),
		Revision: s.mpa.revision, Plain: s.mpa.plain, RTR: s.mpa.rtr,
		MarkersToServer: s.mpa.toServer, MarkersToClient: s.mpa.toClient,
		ClientCRC: s.mpa.clientCRC, ServerCRC: s.mpa.serverCRC,
		ClientDepths: &build.Depths{IRD: uint16(s.number("clientird", 128)), ORD: uint16(s.number("clientord", 0))},
		ServerDepths: &build.Depths{IRD: uint16(s.number("serverird", 0)), ORD: uint16(s.number("serverord", 128))},
	}
	if p.err != nil {
		return nil
	}
	return build.NewIWARP(w)
}

// start makes the MPA frames, as the text has them.
func (m *mpa) start(w *build.IWARP, reject bool) {
	for _, d := range []build.Direction{build.ToServer, build.ToClient} {
		f := w.StartFrame(d)
		f.Reject = reject && d == build.ToClient
		if m.reserved[d] {
			f.Reserved = 0x0f
		}
		b := f.Bytes()
		if m.badKey[d] {
			b[0] ^= 0x20
		}
		if m.length[d] != 0 {
			const at = 18
			binary.BigEndian.PutUint16(b[at:], uint16(m.length[d]))
		}
		w.Stream(d, b)
		w.Ack(d.Opposite())
	}
	if m.rtr != build.NoRTR && !reject {
		w.ReadyToReceive()
	}
}
