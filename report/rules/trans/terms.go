package trans

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// endless is the RNR retry count that is no limit (IBA 9.7.5).
const endless = 7

// handshakeOf is what an end reported in its REQ or REP, nil if that was not captured whole.
func handshakeOf(c *rules.Conn, e flow.End) *flow.Declared {
	if t := &c.Handshake.Declared[e&1]; t.Whole && !c.IWARP() {
		return t
	}
	return nil
}

// retries is how often the REQ has the other end try again after a time-out, if that
// is known.
func retries(c *rules.Conn) (n int, known bool) {
	t := handshakeOf(c, 0)
	if t == nil {
		return 0, false
	}
	return t.Retry.Value, t.Retry.Known
}

// depth is how many RDMA Reads an end may have open: no more than it reported that it
// issues, and than its peer said that it takes.
func depth(c *rules.Conn, requester flow.End) (n int, known bool) {
	told := &c.Handshake.Declared
	a, b := &told[requester&1], &told[requester&1^1]
	if !a.Depths() || !b.Depths() || !c.IWARP() && !(a.Whole && b.Whole) {
		return 0, false
	}
	return min(a.Issues.Value, b.Takes.Value), true
}
