package sym

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An undelivered packet of RoCEv2 or iWARP is one of which an ICMP message says that it did not reach
// its destination.
type undelivered struct {
	frame   flow.Moment // of the message
	by      string      // its sender
	from    string
	to      string
	roce    bool
	atOnce  bool // the destination itself says so
	why     link.UnreachableReason
	network string // what the packet was of
}

// unreachable004 looks for such ICMP messages.
func unreachable004(k *rules.Capture, v *dissect.FrameView) {
	const roce, nfsRDMA = 4791, 20049
	if !v.Link.IsICMP() {
		return
	}
	h := v.Headers()
	u, ok := h.Unreachable()
	if !ok || u.UDP && u.Port != roce || !u.UDP && u.Port != nfsRDMA || u.Why == link.OtherReason {
		return
	}
	if !u.UDP && u.Why == link.TooBig || v.Link.Dst() != u.Src {
		return // TCP finds its path MTU so, and who did not send the packet is not told of it
	}
	x := undelivered{frame: rules.Moment(v), by: v.Link.Src().String(), from: u.Src.String(), to: u.Dst.String(), roce: u.UDP, why: u.Why, network: "RoCEv2"}
	if x.atOnce = v.Link.Src() == u.Dst; !u.UDP {
		x.network = "iWARP"
	}
	rules.PublishOfCapture(k, x)
}

// undeliveredKey reports what is found apart.
type undeliveredKey struct {
	from, to string
	roce     bool
	why      link.UnreachableReason
}

func undelivered004(_ *rules.ConnRef, x *undelivered, report rules.Reporter) {
	f := report.Key(undeliveredKey{x.from, x.to, x.roce, x.why}).Moment("d", x.frame.Ref, x.frame.Time, nil, "")
	if f == nil {
		return
	}
	f.Messagef("%s reports by ICMP that the %s packets of %s do not reach %s: %s", x.by, x.network, x.from, x.to, x.reason())
	f.See("sender of the ICMP message", x.by, nil)
	if x.why == link.TooBig {
		f.Advise("The path MTU of the connection is larger than the path allows: give all links an MTU that holds it plus the RoCEv2 headers, or lower the adapter's MTU.")
	}
}

// reason is why, for a person.
func (x *undelivered) reason() string {
	switch x.why {
	case link.NobodyAtPort:
		if x.roce && x.atOnce {
			return "the port is unreachable, so nothing accepts RoCEv2 there (UDP port 4791)"
		}
		return "the port is unreachable"
	case link.Prohibited:
		return "a firewall or a router does not let them through"
	case link.NoRoute:
		return "there is no route"
	case link.NoHost:
		return "the host does not answer on its link"
	case link.TooBig:
		return "they are too long for a link on the path"
	}
	return fmt.Sprintf("reason %d", x.why)
}
