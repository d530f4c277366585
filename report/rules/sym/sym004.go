package sym

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
	"github.com/rdmacap/rdmacap/rocev2"
)

func sym004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy).In("ab"),
		},
		Needs: []rules.Knowledge{setup.Knowledge()},
		On: []rules.Event{
			rules.OnMessage(rules.OtherProcedure, message004), rules.OnRPC(rules.Refused, rpc004),
			rules.OnEnd(end004), rules.OnPublished(refused004), rules.OnPublished(undelivered004), rules.OnPublished(ended004), rules.OnOver(over004),
		},
		OnCapture: []rules.CaptureEvent{
			rules.OnCaptureFrame(rules.Unconnected, captured004), rules.OnCaptureFrame(rules.Unconnected, unreachable004),
			rules.OnCaptureFrame(rules.Datagram|rules.Unconnected, ending004), rules.OnCaptureEnd(declined004), rules.OnCaptureEnd(report004),
		},
	}
}

// reasonText says what a reason to reject means; "" where its name says it.
func reasonText(r rocev2.RejectReason) string {
	switch r {
	case rocev2.RejInvalidServiceID:
		return "nobody listens there"
	case rocev2.RejConsumer:
		return "the service itself refuses it"
	case rocev2.RejNoResources:
		return "the server has no resources for it"
	case rocev2.RejStaleConnection:
		return "it still holds an old connection with these numbers"
	case rocev2.RejTimeout:
		return "an answer did not arrive in time"
	}
	return ""
}

func end004(c *rules.Conn, report rules.Reporter) {
	b := setup.Of(c)
	switch {
	case c.Closing == flow.Rejected:
		rejected004(c, b, report)
	case !c.Established && b.Declared[0].Captured && !b.Declared[1].Captured && b.Again > 0 && c.Messages == 0:
		unanswered004(c, b, report)
	}
}

func rejected004(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	if staleReject(c) {
		if c.Capture.Watched() && b.Ended { // the finding comes when it is known how often it was
			report.Ongoing(flow.Moment{Ref: b.Over.Frame, Time: b.Over.Time}, nil, c.Capture.Now,
				fmt.Sprintf("the %s rejected the connection to port %d: %v", c.Sender(b.Over.From), c.Server().Port, c.RejectReason))
		}
		return
	}
	f := ended(c, report, "", "")
	if f == nil {
		return
	}
	to := fmt.Sprintf("port %d", c.Server().Port)
	if c.Service != "" {
		to += " (" + c.Service + ")"
	}
	if c.IWARP() {
		f.Messagef("the server rejected the connection to %s in its MPA Reply", to)
	} else {
		f.Messagef("the %s rejected the connection to %s: %v", c.Sender(b.Over.From), to, c.RejectReason)
		if why := reasonText(c.RejectReason); why != "" {
			f.Message += ", " + why
		}
		f.See("reason", c.RejectReason.String(), nil)
	}
	ladder(c, f)
}

// noAnswer tells requests without an answer from those that were rejected.
type noAnswer struct{}

func unanswered004(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	if len(b.Steps) == 0 || c.Capture.Now-b.Steps[0].Time < int64(c.Capture.Config.EndGuard) {
		return
	}
	first := &b.Steps[0]
	f := report.Key(noAnswer{}).Moment("", first.Frame, first.Time, &first.From, "")
	if f == nil {
		return
	}
	f.Messagef("the client's %s to port %d was sent %d times in %s, and the capture has no answer", first.Name, c.Server().Port, b.Again+1, rules.Duration(c.LastTime-first.Time))
	f.See("times", b.Again+1, nil)
	f.Advise("Check whether the request reaches the server: look at firewalls for UDP port 4791 or the server's port, and at the server's CM.")
	ladder(c, f)
}

// A refusedSYN is a reset that answers a SYN.
type refusedSYN struct {
	frame          flow.Moment
	server, client string
}

// captured004 looks for resets of those who do not listen: they have the sequence number 0, which
// an open connection does not begin with (RFC 9293, section 3.10.7.1).
func captured004(k *rules.Capture, v *dissect.FrameView) {
	const nfsRDMA = 20049
	t := &v.Link.TCP
	if v.Link.Transport != link.TCP || v.Link.SrcPort != nfsRDMA || t.Flags&(link.RST|link.ACK) != link.RST|link.ACK || t.Seq != 0 || v.Connection != nil {
		return
	}
	src, dst := v.Link.Src(), v.Link.Dst()
	rules.PublishOfCapture(k, refusedSYN{rules.Moment(v), src.String(), dst.String()})
}

func refused004(_ *rules.ConnRef, x *refusedSYN, report rules.Reporter) {
	f := report.Key(x.server).Moment("", x.frame.Ref, x.frame.Time, nil, "")
	if f != nil {
		f.Messagef("the server %s reset the TCP connection that %s requested: nobody listens on port 20049", x.server, x.client)
		f.See("server", x.server, nil).See("client", x.client, nil)
	}
}
