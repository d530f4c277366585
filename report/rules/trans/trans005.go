package trans

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans005() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-005", Title: "Invalid request or remote operational error",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An adapter refused a message that it can or will not carry out: a NAK \"invalid request\", \"remote operational " +
			"error\" or \"invalid RD request\", or a Terminate with a Remote Operation Error.",
		Why: "The connection ends with it, and all calls that are open on it must be sent again on a new one. If what was refused " +
			"comes again, so does the end.",
		Advice: "An invalid request is most often a Send that is longer than the receive posted for it (THRESH-010), a Send With Invalidate " +
			"that the adapter does not know (INV-004), or one RDMA Read too many (TRANS-008). A remote operational error is " +
			"trouble inside the end that refuses: look into its log.",
		Reference: "InfiniBand Architecture 1.3, volume 1, section 9.7.5; RFC 8166, section 4.5.3; RFC 5040, section 4.8",
		Limits:    "The refused message is told only if it is remembered. What made it invalid is not said by a NAK.",
		Causes:    []string{"THRESH-010", "THRESH-002", "THRESH-001", "XCHAR-009d", "CM-004b", "INV-004", "TRANS-008", "TRANS-007"},
		Needs:     []rules.Knowledge{wires(), reading()},
		On:        []rules.Event{onRefused(refused005), onTerminated(terminated005)},
		Fires: []rules.Sample{
			{Name: "a Send that is too long", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(2000)
				    noack
				nak server invalid
				    want TRANS-005 frame 54+1
				disconnect`},
			{Name: "the server cannot go on", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				nak server operational
				    want TRANS-005 frame 54+1
				disconnect`},
			{Name: "a Terminate: unexpected opcode", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				terminate server 0/2/6
				    want TRANS-005
				    want TRANS-012
				reset server`},
		},
		Silent: []rules.Sample{
			{Name: "a NAK that asks for what was lost", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				nak server sequence
				wait 1ms
				resend 1
				reply 1
				disconnect`},
			{Name: "a Terminate that finds no buffer", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				terminate server 1/2/2
				    want TRANS-012
				reset server`},
		},
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

// length shows that of a Send, and what it may be.
func length(c *rules.Conn, f *rules.Finding, octets int, sender flow.End) {
	var limit any
	if t, known := c.Connection.Thresholds(); known && c.RPCRDMA() {
		limit = fmt.Sprintf("at most %d", inline(c, &t, sender))
	}
	f.See("octets of the Send", octets, limit)
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
