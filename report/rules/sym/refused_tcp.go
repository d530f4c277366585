package sym

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// asked are the TCP connections that somebody asked for, by what was asked: the first mostAsked of them.
type asked []askedFor

// mostAsked is how many are told apart: a mount asks a few ports.
const mostAsked = 16

// askedFor are those at one port of one server.
type askedFor struct {
	first         flow.Moment
	server        link.Addr
	port          uint16
	syns, refused int64
	answered      bool
}

// see notes a segment that begins a connection, or refuses one: a reset of those who do not listen has the sequence
// number 0, which an open connection does not begin with (RFC 9293, section 3.10.7.1).
func (a *asked) see(p *link.Packet, at flow.Moment) {
	if p.Transport != link.TCP {
		return
	}
	switch t := &p.TCP; {
	case t.Flags.Has(link.SYN) && t.Flags.Has(link.ACK):
		if x := a.askedOf(p.Src(), p.SrcPort); x != nil {
			x.answered = true
		}
	case t.Flags.Has(link.SYN):
		if x := a.askedOf(p.Dst(), p.DstPort); x != nil {
			x.syns++
			if x.syns == 1 {
				x.first = at
			}
		}
	case t.Flags.Has(link.RST) && t.Flags.Has(link.ACK) && t.Seq == 0:
		if x := a.askedOf(p.Src(), p.SrcPort); x != nil {
			x.refused++
		}
	}
}

// askedOf is what was asked of a port of a server, nil if there are too many.
func (a *asked) askedOf(server link.Addr, port uint16) *askedFor {
	i := slices.IndexFunc(*a, func(x askedFor) bool { return x.server == server && x.port == port })
	if i < 0 {
		if len(*a) == mostAsked {
			return nil
		}
		i = len(*a)
		*a = append(*a, askedFor{server: server, port: port})
	}
	return &(*a)[i]
}

// addAsked adds what another part of the capture has.
func (a *asked) addAsked(o asked) {
	for _, y := range o {
		x := a.askedOf(y.server, y.port)
		if x == nil {
			continue
		}
		if x.syns == 0 || y.syns > 0 && y.first.Before(x.first) {
			x.first = y.first
		}
		x.syns, x.refused, x.answered = x.syns+y.syns, x.refused+y.refused, x.answered || y.answered
	}
}

// none says which connection nobody got: the first that was refused, or else that nothing answered, "" if there is
// none, or something else that may have been RDMA or NFS.
func (s *seen) none() string {
	var worst *askedFor
	for i := range s.asked {
		x := &s.asked[i]
		if x.answered || x.refused == 0 && x.syns < 2 {
			continue
		}
		if worst == nil || x.refused > 0 && (worst.refused == 0 || x.first.Before(worst.first)) {
			worst = x
		}
	}
	switch {
	case worst == nil || s.nfs > 0 || s.cut > 0 || s.rdmaPort > 0 && (worst.port != portNFSRDMA || s.rdmaPort > worst.syns+worst.refused):
		return ""
	case worst.refused > 0:
		return fmt.Sprintf(": the server %s reset the TCP connection requested to port %d, %s: nobody listens there", worst.server, worst.port, field.Counted(worst.refused, "time"))
	}
	return fmt.Sprintf(": a TCP connection to port %d of %s was requested %d times, and nothing answered", worst.port, worst.server, worst.syns)
}
