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

func refused005(c *rules.Conn, r *refusal, say rules.Say) {
	switch r.syndrome {
	case rocev2.NAKInvalidRequest, rocev2.NAKRemoteOperationalError, rocev2.NAKInvalidRDRequest:
	default:
		return
	}
	f := say.Key(r.syndrome).Frame("", r.v, "")
	if f == nil {
		return
	}
	f.Sayf("the %s refuses %s: %s", c.Sender(r.from), r.about(), r.syndrome)
	r.show(f)
	if r.request != nil {
		describe(c, f, r.request, r.from^1)
	}
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
func length(c *rules.Conn, f *rules.Finding, octets int, sender flow.End) {
	t, known := c.Connection.Thresholds()
	if !known || !c.RPCRDMA() {
		f.See("bytes of the Send", octets, nil)
		return
	}
	if limit := inline(c, &t, sender); octets > limit {
		f.See("bytes of the Send", octets, fmt.Sprintf("at most %d", limit))
	} else {
		f.See("bytes of the Send", octets, nil).See("bytes that a Send may have", limit, nil)
	}
}

func terminated005(c *rules.Conn, e *ending, say rules.Say) {
	const operation = 2 // Remote Operation Error
	if e.Layer != 0 || e.EType != operation {
		return
	}
	if f := e.find(say, ""); f != nil {
		f.Sayf("the %s refuses a message: %v", c.Sender(e.from), e.Termination)
		e.show(f)
		if s := e.send; s != nil {
			length(c, f, s.Length, s.From)
			if s.Invalidates {
				f.See("STag to invalidate", rules.Handle(s.Handle), nil)
			}
		}
	}
}

// inline is the inline threshold of what an end sends, in octets.
func inline(c *rules.Conn, t *rpcrdma.Thresholds, sender flow.End) int {
	if c.ToServer(sender) {
		return t.ToServer
	}
	return t.ToClient
}
