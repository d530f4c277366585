package front

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// segments knows the TCP connections.
type segments struct {
	port uint16 // of iWARP beside 20049, 0 for none
	all  table[flow.TCPName, *stream]
	name flow.TCPName // that of last, which was asked for last
	last *stream
}

// A stream is a TCP connection.
type stream struct {
	shard  int
	placed bool // the shard is chosen
	begun  bool // its SYN was captured
	iwarp  bool // it carries iWARP, as far as is seen without putting it in order
}

// streamOf is the connection of a segment.
func (s *segments) streamOf(f *flow.Frame) *stream {
	name, _ := flow.TCPNameOf(&f.Link)
	if s.last != nil && s.name == name {
		return s.last
	}
	c, ok := s.all.findEntry(name)
	if !ok {
		c = new(stream)
		s.all.set(name, c)
	}
	s.name, s.last = name, c
	return c
}

// takeFrame takes a segment of it, and reports whether the connection was known to carry iWARP
// before: by an MPA frame, or where the capture has no SYN of it by a port of iWARP.
func (c *stream) takeFrame(f *flow.Frame, port uint16) (was bool) {
	was = c.iwarp
	if f.Link.TCP.Flags.Has(link.SYN) {
		if !f.Link.TCP.Flags.Has(link.ACK) {
			c.begun, c.iwarp = true, false
		}
		return was
	}
	if c.iwarp {
		return was
	}
	payload := f.Payload()
	switch {
	case len(payload) == 0:
	case iwarp.Starts(payload):
		c.iwarp = true
	case !c.begun && !iwarp.LooksLikeStart(payload):
		c.iwarp = iwarp.IsPort(f.Link.SrcPort, port) || iwarp.IsPort(f.Link.DstPort, port)
	}
	return was
}
