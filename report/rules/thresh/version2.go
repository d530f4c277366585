package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// limitAt is how long a Send may be that begins in a frame at a time, and whether that is
// known: in version 2 also until the ends agree on it.
func limitAt(c *rules.Conn, version uint32, from flow.End, frame flow.Ref, time int64) (l setup.Limit, known bool) {
	if n, tried := c.Negotiation(); version == rpcrdma.Version2 && tried && n.Agreed == 0 {
		return setup.Limit{Bytes: rpcrdma.DefaultThreshold, Default: true, Why: "the default until version 2 is agreed on"}, !c.BeganLate() && c.WholeSoFar() && !setup.ReceivedOf(c).Short()
	}
	return setup.ReceivedOf(c).LimitAt(version, from, frame, time)
}

// tooLongToo is tooLong for a message of any version that is defined.
func tooLongToo(c *rules.Conn, m *dissect.Message) (l setup.Limit, ok bool) {
	if m.Header.Version != rpcrdma.Version2 {
		return tooLong(c, m)
	}
	if m.Length <= rpcrdma.DefaultThreshold || m.Whole && m.Header.Fault.Bad() {
		return l, false
	}
	l, ok = limitAt(c, m.Header.Version, m.From, m.Frames[0], m.First)
	return l, ok && m.Length > l.Bytes
}

// see adds to a finding what the two ends told in the setup, if that is what counts.
func see(c *rules.Conn, f *rules.Finding, version uint32) {
	if version != rpcrdma.Version2 {
		setup.See(c, f)
	}
}
