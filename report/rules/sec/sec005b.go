package sec

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// mostTaken is how many connections are remembered that ended with a REQ or REP for another.
const mostTaken = 32

// A taken connection lost its queue pair to another that was asked for. Whether that came about is not known yet:
// a REQ that is rejected sets nothing up.
type taken struct {
	pairs [2]queuePair
	id    int
	last  flow.Ref
}

// A made connection was set up.
type made struct {
	pairs [2]queuePair
	began flow.Moment
}

// pairsOf are the queue pairs of a connection by its ends, zero where they are not known.
func pairsOf(c *rules.Conn) (list [2]queuePair) {
	for e := range c.Ends {
		if end := &c.Ends[e]; end.HasQPN {
			list[e] = queuePair{end.Addr, end.QPN}
		}
	}
	return list
}

func end005(c *rules.Conn, _ rules.Reporter) {
	if c.Closing == flow.Replaced && !c.IWARP() && c.Setup == flow.SetupCM {
		rules.Publish(c, taken{pairsOf(c), c.ID, c.Last})
	}
}

func taken005(e *rules.ConnRef, x *taken, _ rules.Reporter) {
	*crossState(e).identities.taken.Add(mostTaken) = *x
}

// made005 looks whether the connection took a queue pair of one that had not ended.
func made005(e *rules.ConnRef, x *made, report rules.Reporter) {
	for was := range crossState(e).identities.taken.All() {
		i := sharedPair(was.pairs, x.pairs)
		if i < 0 || was.id == 0 {
			continue
		}
		const doubt = "the messages that ended the old connection may be missing from the capture"
		report.Moment("b", x.began.Ref, x.began.Time, nil, doubt).
			Messagef("this connection was set up with a queue pair of connection %d, which had not been torn down", was.id).
			See("queue pair", rules.Handle(x.pairs[i].qpn), nil).See("its host", x.pairs[i].addr.String(), nil).
			See("last frame of the old connection", e.FrameName(was.last), nil).With(was.last)
		was.id = 0 // told
	}
}

// sharedPair is the first of two queue pairs that is among two others, -1 for none.
func sharedPair(was, now [2]queuePair) int {
	for i, q := range now {
		if q != (queuePair{}) && (q == was[0] || q == was[1]) {
			return i
		}
	}
	return -1
}
