package report

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Gate is something that could not be checked of a connection, and why.
type Gate struct{ What, Why string }

// sights are what of a connection was seen that rules cannot look into.
type sights struct {
	protected int64 // RPCs whose arguments and results RPCSEC_GSS protects
	messages  int64 // messages that are not whole in the capture
	missing   string
}

// cut counts a message that is not whole.
func (s *sights) cut(m *dissect.Message) {
	s.messages++
	if s.missing == "" {
		s.missing = m.Missing
	}
}

// sightings are those of the connections that are open.
type sightings map[*dissect.Connection]*sights

func (l sightings) of(c *dissect.Connection) *sights {
	s := l[c]
	if s == nil {
		s = new(sights)
		l[c] = s
	}
	return s
}

// message counts a message that is not whole.
func (l sightings) message(m *dissect.Message) {
	if !m.Whole {
		l.of(m.Connection).cut(m)
	}
}

// rpc counts an RPC that is protected.
func (l sightings) rpc(r *dissect.RPC) {
	if h := r.CallHeader(); h != nil && h.Protected() {
		l.of(r.Connection).protected++
	}
}

// take forgets a connection, and returns what was seen of it.
func (l sightings) take(c *dissect.Connection) *sights {
	s := l[c]
	delete(l, c)
	return s
}

// gates says what could not be checked of a connection that is over.
func gates(c *dissect.Connection, s *sights) (list []Gate) {
	v := rules.Conn{Connection: c}
	add := func(what, why string, a ...any) { list = append(list, Gate{what, fmt.Sprintf(why, a...)}) }
	speaks := c.RPCRDMA()
	switch {
	case c.Other() && c.Service != "":
		add("all above the transport", "it carries %s", c.Service)
	case c.Other():
		add("all above the transport", "it carries another protocol than RPC-over-RDMA")
	case !speaks && c.Closing != flow.Rejected:
		add("all above the transport", "no Send shows that it carries RPC-over-RDMA")
	}
	if v.BeganLate() {
		add(lateWhat(speaks), rules.DoubtLate)
	} else if _, known := c.Thresholds(); speaks && !known && c.Closing != flow.Rejected {
		add("inline thresholds", "not all of the set-up is in the capture")
	}
	if v.OneDirection() {
		add("what needs both calls and replies", rules.DoubtOneWay)
	}
	switch {
	case c.LostInCapture > 0:
		add("what would show by being absent, near what is lost", "the capture lacks %s", appendCount(nil, c.LostInCapture, "frame"))
	case v.Lossy():
		add("what would show by being absent, near what is lost", "parts of the connection are missing from the capture, or could not be read")
	}
	if s == nil {
		return list
	}
	if s.messages > 0 {
		add("the contents of "+string(appendCount(nil, s.messages, "message")), "%s", s.missing)
	}
	if s.protected > 0 {
		add("arguments and results of "+string(appendCount(nil, s.protected, "RPC")), "RPCSEC_GSS protects them")
	}
	return list
}

// lateWhat is what a late begin leaves unchecked.
func lateWhat(speaks bool) string {
	if speaks {
		return "set-up, private data and inline thresholds"
	}
	return "set-up"
}
