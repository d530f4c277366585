package scene

import (
	"net/netip"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// setup is what a text says of a connection before it begins.
type setup struct {
	client, server build.Host
	numbers        map[string]uint64
	mpa            mpa
	reject         bool
}

// mpa is what a text says of MPA's start frames.
type mpa struct {
	revision             uint8
	plain                bool
	toServer, toClient   bool // markers
	clientCRC, serverCRC bool
	badKey, reserved     [2]bool // by direction
	length               [2]int  // PD_Length as stated, if not 0
	rtr                  build.RTR
}

// setup plays the statements that begin a connection or choose one.
func (p *player) setup(c *cursor, name string, options []*cursor) bool {
	switch name {
	case "connect", "setup", "reject":
	case "on":
		p.name = c.word("a connection's name")
		if k := p.names[p.name]; k != nil {
			p.enter(k)
			p.first = len(k.frames())
		} else {
			c.fail("there is no connection %s", p.name)
		}
		p.noOptions(name, options)
		return true
	default:
		return false
	}
	s := &setup{numbers: make(map[string]uint64), reject: name == "reject"}
	id := p.name
	if c.peek().kind == word && (len(c.tokens) == 1 || len(c.tokens) > 1 && !c.tokens[1].is("=")) {
		id = c.takeToken().text
	}
	s.parseSetup(c)
	for _, o := range options {
		switch o.one("private", "mpa", "set") {
		case "private":
			host := &s.client
			if o.direction() == build.ToClient {
				host = &s.server
			}
			host.Private = o.bytes("private data")
			o.limit(host.Private)
		case "mpa":
			s.mpa.parseMPA(o)
		case "set":
			s.parseSetup(o)
		}
		o.expectEnd()
	}
	if p.err != nil {
		return true
	}
	if p.beginConnection(id, s); p.err != nil || name == "setup" {
		return true
	}
	p.connect(s)
	return true
}

// limit refuses private data for which a CM message has no room.
func (c *cursor) limit(private []byte) {
	const room = 56 // of a REQ, after the IP CM header
	if len(private) > room {
		c.fail("private data have at most %d bytes", room)
	}
}

// parseSetup takes NAME=VALUE.
func (s *setup) parseSetup(c *cursor) {
	for c.more() {
		name := c.one("client", "server", "clientaddr", "serveraddr", "port", "clientport", "pmtu", "mss", "tso",
			"clientqpn", "serverqpn", "clientpsn", "serverpsn", "clientcredits", "servercredits", "clientird", "clientord",
			"serverird", "serverord", "retry", "rnrretry", "serverrnrretry", "acktimeout", "reason", "service", "commid", "version", "requests")
		c.mark("=")
		switch name {
		case "client":
			s.client.Private = c.private()
		case "server":
			s.server.Private = c.private()
		case "clientaddr":
			s.client.Addr = c.address()
		case "serveraddr":
			s.server.Addr = c.address()
		default:
			s.numbers[name] = c.number64(name)
		}
	}
	if a, b := s.client.Addr, s.server.Addr; a.IsValid() && a.Is6() != (b.IsValid() && b.Is6()) || b.IsValid() && b.Is6() && !a.IsValid() {
		c.fail("both addresses are IPv4 or both IPv6")
	}
}

// private takes private data: none, or SEND/RECEIVE in bytes, with ,inv for
// remote invalidation.
func (c *cursor) private() []byte {
	if c.peek().kind == text || len(c.tokens) > 1 && c.tokens[1].is("(") {
		b := c.bytes("private data")
		c.limit(b)
		return b
	}
	w := c.word("private data")
	if w == "none" {
		return []byte{}
	}
	sizes, inv, hasInv := strings.Cut(w, ",")
	send, receive, ok := strings.Cut(sizes, "/")
	if !ok || hasInv && inv != "inv" {
		c.fail("%q is no private data, as 4096/4096, 1024/1024,inv and none are", w)
		return []byte{}
	}
	s, r := c.parse(send, "a size", 32), c.parse(receive, "a size", 32)
	if s%1024 != 0 || r%1024 != 0 || s == 0 || r == 0 || s > 256*1024 || r > 256*1024 {
		c.fail("sizes are 1024 to 262144 in steps of 1024")
	}
	return build.PrivateData(int(s), int(r), hasInv)
}

func (c *cursor) address() netip.Addr {
	w := c.word("an address")
	a, err := netip.ParseAddr(w)
	if err != nil || a.Zone() != "" || a.Is4In6() {
		c.fail("%q is no IP address", w)
	}
	return a
}

// beginConnection makes a connection and goes on with it. Each differs from those before
// in ports, queue pairs, sequence numbers and IDs.
func (p *player) beginConnection(id string, s *setup) {
	k := &conn{index: len(p.conns), effects: make(map[int]*effect), version: uint32(s.within(p, "version", 1, 1, 2))}
	n := uint32(k.index)
	if n > 255 {
		p.failf(0, "there are more than 256 connections")
		return
	}
	client, server := s.client, s.server
	client.QPN, server.QPN = 0x11+n<<4, 0x12+n<<4
	client.PSN, server.PSN = (0x223899+n*0x31337)&0xffffff, (0xe2d479+n*0x27182)&0xffffff
	client.CommID, server.CommID = 0x8dae0ff3+n, 0x481ec7f8+n
	client.Credits, server.Credits = 128, 64
	for name, field := range map[string]*uint32{"clientqpn": &client.QPN, "serverqpn": &server.QPN, "clientpsn": &client.PSN,
		"serverpsn": &server.PSN, "clientcredits": &client.Credits, "servercredits": &server.Credits, "commid": &client.CommID} {
		if v, set := s.numbers[name]; set {
			*field = uint32(v)
		}
	}
	client.IPID, server.IPID = uint16(0x2316+n*0x1111), uint16(0xd88d+n*0x1111)
	client.Port = uint16(s.number("clientport", 0x81b0+uint64(n)))
	client.UDPPort, server.UDPPort = uint16(0xc2a1+n), uint16(0xc2a1+n)
	if p.over == IWARP {
		k.iwarp = s.iwarp(p, client, server)
	} else {
		k.roce = s.roce(p, client, server)
	}
	if p.err != nil {
		return
	}
	p.conns = append(p.conns, k)
	p.names[id], p.name, p.cur, p.first = k, id, k, 0
}

func (s *setup) number(name string, instead uint64) uint64 {
	if v, set := s.numbers[name]; set {
		return v
	}
	return instead
}

// within is a number between two, else a fault of the text.
func (s *setup) within(p *player, name string, instead, least, greatest uint64) int {
	v := s.number(name, instead)
	if v < least || v > greatest {
		p.failf(0, "%s is %d to %d", name, least, greatest)
	}
	return int(v)
}

func (s *setup) roce(p *player, client, server build.Host) *build.Conversation {
	pmtu := s.within(p, "pmtu", 1024, 256, 4096)
	if pmtu&(pmtu-1) != 0 {
		p.failf(0, "pmtu is a power of two")
	}
	return build.NewConversation(build.Setup{
		Client: client, Server: server, Start: p.clock, PMTU: pmtu, Service: uint16(s.number("port", 0)),
		EditREQ: func(m *build.REQ) {
			m.ResponderResources = uint8(s.number("clientird", uint64(m.ResponderResources)))
			m.InitiatorDepth = uint8(s.number("clientord", uint64(m.InitiatorDepth)))
			m.RetryCount = uint8(s.number("retry", uint64(m.RetryCount))) & 7
			m.RNRRetryCount = uint8(s.number("rnrretry", uint64(m.RNRRetryCount))) & 7
			m.LocalACKTimeout = uint8(s.number("acktimeout", uint64(m.LocalACKTimeout))) & 31
			m.ServiceID = s.number("service", m.ServiceID)
		},
		EditREP: func(m *build.REP) {
			m.ResponderResources = uint8(s.number("serverird", uint64(m.ResponderResources)))
			m.InitiatorDepth = uint8(s.number("serverord", uint64(m.InitiatorDepth)))
			m.RNRRetryCount = uint8(s.number("serverrnrretry", uint64(m.RNRRetryCount))) & 7
		},
	})
}

// requestTimeout is how long a client waits before it sends its REQ again.
const requestTimeout = 4 * time.Second

// connect makes the frames of a connection's setup.
func (p *player) connect(s *setup) {
	reason := uint16(s.number("reason", 28))
	switch k := p.cur; {
	case k.roce != nil && s.reject:
		k.roce.Request()
		k.roce.Reject(reason, nil)
	case k.roce != nil:
		for range s.within(p, "requests", 1, 1, 16) - 1 {
			k.roce.Request()
			k.roce.Wait(requestTimeout)
		}
		k.roce.Connect()
	default:
		k.iwarp.Handshake()
		s.mpa.start(k.iwarp, s.reject)
	}
}
