package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans005() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires(), reading()},
		On:    []rules.Event{onRefused(refused005), onTerminated(terminated005)},
	}
}

func refused005(c *rules.Conn, r *refusal, report rules.Reporter) {
	switch r.syndrome {
	case rocev2.NAKInvalidRequest, rocev2.NAKRemoteOperationalError, rocev2.NAKInvalidRDRequest:
	default:
		return
	}
	f := report.Key(r.syndrome).Frame("", r.v, "")
	if f == nil {
		return
	}
	f.Messagef("the %s refuses %s: %s", c.Sender(r.from), refusedMessage(c, r), r.syndrome)
	r.show(f)
	if r.request != nil {
		describe(c, f, r.request, r.from^1)
	}
	if r.syndrome == rocev2.NAKRemoteOperationalError {
		advice := "A remote operational error is a problem inside the %s, not in what it refused: check its log around that time."
		if r.first(c) {
			advice += " It refused the first message that it received: check whether the receives that it posts for a new connection are in memory " +
				"that is registered and mapped for its adapter."
		}
		f.Advise(advice, c.Sender(r.from))
	}
}

// refusedMessage is what was refused: of a Send whether it is a reply, and to which call, and whether
// it is the first message from its sender.
func refusedMessage(c *rules.Conn, r *refusal) string {
	text := r.about()
	q := r.request
	if q == nil || q.Kind() != rocev2.KindSend {
		return text
	}
	if q.IsReply(c) {
		text = fmt.Sprintf("the reply to XID %s, %s", rules.Handle(q.XID), text)
	}
	if r.first(c) {
		text += ", the first message from the " + c.Sender(r.from^1)
	}
	return text
}

// first reports whether what was refused is the first that its sender sent on the connection, by the
// PSN that the setup told it to begin with.
func (r *refusal) first(c *rules.Conn) bool {
	if r.request == nil {
		return false
	}
	psn := c.Handshake.Declared[r.from].StartingPSN
	return psn.Known && uint32(psn.Value) == r.request.First
}

// describe shows what may make a request invalid.
func describe(c *rules.Conn, f *rules.Finding, q *requests.Request, sender flow.End) {
	if q.Kind() == rocev2.KindSend {
		length(c, f, q.Length, sender)
	}
	if q.Invalidates {
		f.See("R_key to invalidate", rules.Handle(q.Handle), nil)
	}
	if q.Kind() == rocev2.KindReadRequest {
		open := readsOf(c).open(sender)
		if n, known := depth(c, sender); known {
			f.See("open RDMA Reads", open, fmt.Sprintf("at most %d", n))
		} else {
			f.See("open RDMA Reads", open, nil)
		}
	}
}

// length shows that of a Send, and what it may be: that is what was expected only of one that is too long.
func length(c *rules.Conn, f *rules.Finding, size int, sender flow.End) {
	t, known := c.Connection.Thresholds()
	if !known || !c.RPCRDMA() {
		f.See("bytes of the Send", size, nil)
		return
	}
	if limit := inline(c, &t, sender); size > limit {
		f.See("bytes of the Send", size, fmt.Sprintf("at most %d", limit))
	} else {
		f.See("bytes of the Send", size, nil).See("bytes that a Send may have", limit, nil)
	}
}

func terminated005(c *rules.Conn, e *ending, report rules.Reporter) {
	const operation = 2 // Remote Operation Error
	if e.Layer != 0 || e.EType != operation {
		return
	}
	if f := e.findingOf(report, ""); f != nil {
		f.Messagef("the %s refuses a message: %v", c.Sender(e.from), e.Termination)
		e.show(f)
		if s := e.send; s != nil {
			length(c, f, s.Length, s.From)
			if s.Invalidates {
				f.See("STag to invalidate", rules.Handle(s.Handle), nil)
			}
		}
	}
}

// inline is the inline threshold of what an end sends, in bytes.
func inline(c *rules.Conn, t *rpcrdma.Thresholds, sender flow.End) int {
	if c.ToServer(sender) {
		return t.ToServer
	}
	return t.ToClient
}
