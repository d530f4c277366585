package trans

import (
	"encoding/binary"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans015() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection)},
		On:          []rules.Event{rules.OnFrame(rules.Completing|rules.Awaited, frame015), rules.OnEnd(end015)},
	}
}

const (
	// sampled is how many packets of a connection are looked at, from its first message on,
	// leastEachWay how many of them each end must have sent, and leastOfKind how many packets
	// of a kind make a class of service.
	sampled      = 256
	leastEachWay = 64
	leastOfKind  = 8
)

// services are the classes of service of the packets of one connection.
type services struct {
	kinds  [2][serviceKinds]serviceClass // by the end that sent, and what
	sent   [2]int
	mixed  bool // a kind has several classes
	first  flow.Moment
	sample int
}

const (
	requestPackets = iota
	responsePackets
	acknowledgements
	serviceKinds
)

// A serviceClass is that of packets of one kind.
type serviceClass struct {
	dscp, pcp uint8 // the latter is noTag without a VLAN tag
	n         int
	at        flow.Moment
}

// noTag stands for the PCP of a frame without a VLAN tag.
const noTag = 8

// samples reports whether packets are still to be looked at.
func (s *services) samples() bool { return s != nil && s.sample < sampled }

// frame015 looks at the first packets of a connection, from its first message on.
func frame015(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if v.IB == nil || c.IWARP() || v.IB.OpCode.Transport() == rocev2.TransportUD || v.IB.OpCode == rocev2.OpCNP {
		return
	}
	k := state.Of(c)
	if k.services == nil {
		k.services = &services{first: rules.Moment(v)}
		k.await(c)
	}
	s := k.services
	if !s.samples() {
		return
	}
	if s.sample++; s.sample == sampled {
		k.await(c)
	}
	if v.Verdict.Note == flow.Duplicate {
		return // as another port may have it
	}
	dscp, pcp, ok := serviceOf(v)
	if !ok {
		return
	}
	s.sent[v.Verdict.From&1]++
	x := &s.kinds[v.Verdict.From&1][kindOf(v.IB.OpCode)]
	if x.n++; x.n == 1 {
		x.dscp, x.pcp, x.at = dscp, pcp, rules.Moment(v)
	}
	s.mixed = s.mixed || x.dscp != dscp || x.pcp != pcp
}

// kindOf is what a packet is to its connection.
func kindOf(op rocev2.OpCode) int {
	switch {
	case op.Kind() == rocev2.KindAcknowledge:
		return acknowledgements
	case op.IsResponse():
		return responsePackets
	}
	return requestPackets
}

// serviceOf is the DSCP of a packet, and the PCP of its innermost VLAN tag.
func serviceOf(v *dissect.FrameView) (dscp, pcp uint8, ok bool) {
	const ipv4, ipv6 = 0x0800, 0x86dd
	at, d := v.Link.Network(), v.Frame.Data
	if at < 2 || len(d) < at+2 {
		return 0, 0, false
	}
	switch binary.BigEndian.Uint16(d[at-2:]) {
	case ipv4:
		dscp = d[at+1] >> 2
	case ipv6:
		dscp = d[at]<<2&0x3c | d[at+1]>>6
	default:
		return 0, 0, false // a GRH, whose class is the subnet's affair
	}
	if pcp, ok = v.Link.Priority(d); !ok {
		pcp = noTag
	}
	return dscp, pcp, true
}

// end015 reports a connection whose packets are of several classes.
func end015(c *rules.Conn, report rules.Reporter) {
	s := ifAny(c).services
	if s == nil || s.mixed || s.sent[0] <= leastEachWay || s.sent[1] <= leastEachWay || c.OneDirection() || c.Mixed {
		return
	}
	one, other := s.differing()
	if one == nil {
		s.against(c, report)
		return
	}
	f := report.Moment("", other.at.Ref, other.at.Time, nil, "")
	if f == nil {
		return
	}
	f.Messagef("the packets of one queue pair have two classes of service: %s and %s", one.text(c, s), other.text(c, s))
	for e := range s.kinds {
		for i := range s.kinds[e] {
			if x := &s.kinds[e][i]; x.n >= leastOfKind {
				f.See(x.name(c, s), x.marks(), one.marks())
			}
		}
	}
	f.With(one.at.Ref)
}

// against reports packets whose VLAN tag asks for another class than their DSCP does by the usual mapping, in
// which the upper three bits of the one are the other.
func (s *services) against(c *rules.Conn, report rules.Reporter) {
	for e := range s.kinds {
		for i := range s.kinds[e] {
			x := &s.kinds[e][i]
			if x.n < leastOfKind || x.pcp == noTag || x.pcp == x.dscp>>3 {
				continue
			}
			report.Moment("a", x.at.Ref, x.at.Time, nil, "").
				Messagef("%s, but the usual mapping of DSCP %d is PCP %d", x.text(c, s), x.dscp, x.dscp>>3).
				See("PCP", x.pcp, x.dscp>>3).See("DSCP", x.dscp, nil)
			return
		}
	}
}

// differing are two kinds of packets that are not of one class, nil if all are.
func (s *services) differing() (one, other *serviceClass) {
	for e := range s.kinds {
		for i := range s.kinds[e] {
			x := &s.kinds[e][i]
			switch {
			case x.n < leastOfKind:
			case one == nil:
				one = x
			case one.dscp != x.dscp || one.pcp != x.pcp && one.pcp != noTag && x.pcp != noTag:
				return one, x
			}
		}
	}
	return nil, nil
}

// name is what the packets are: "the server's acknowledgements".
func (x *serviceClass) name(c *rules.Conn, s *services) string {
	for e := range s.kinds {
		for i := range s.kinds[e] {
			if x == &s.kinds[e][i] {
				return "the " + c.Sender(flow.End(e)) + "'s " + [...]string{"requests", "RDMA Read responses", "acknowledgements"}[i]
			}
		}
	}
	return ""
}

// marks are what switches go by.
func (x *serviceClass) marks() string {
	if x.pcp == noTag {
		return fmt.Sprintf("DSCP %d", x.dscp)
	}
	return fmt.Sprintf("DSCP %d, PCP %d", x.dscp, x.pcp)
}

func (x *serviceClass) text(c *rules.Conn, s *services) string {
	return x.name(c, s) + " have " + x.marks()
}
