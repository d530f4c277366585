package sec

import (
	"bytes"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func sec005() rules.Check {
	return rules.Check{
		On: []rules.Event{
			rules.OnSetUp(setUp005), rules.OnEnd(end005), rules.OnOver(over005), rules.OnPublished(joined005), rules.OnPublished(stranger005),
			rules.OnPublished(request005), rules.OnPublished(taken005), rules.OnPublished(made005),
		},
		OnCapture: []rules.CaptureEvent{rules.OnCaptureFrame(rules.Datagram|rules.Unconnected, captured005)},
	}
}

// queuePair is one as packets name it: the host and its number.
type queuePair struct {
	addr link.Addr
	qpn  uint32
}

// identities are who may send to the queue pairs of the open connections, and the
// private data of the newest REQs.
type identities struct {
	senders map[queuePair]link.Addr
	asked   rules.Ring[request]
	taken   rules.Ring[taken]
}

// mostAsked is how many REQs are remembered.
const mostAsked = 32

// request is what is remembered of a REQ, and for a new one what a finding is about.
type request struct {
	about   *rules.About
	from    queuePair
	id      uint32
	psn     int
	private []byte
	frame   flow.Ref
}

// each calls do for each queue pair of a connection, with the address that may send to it.
func each(c *rules.Conn, do func(to queuePair, from link.Addr)) {
	for e := range c.Ends {
		if end := &c.Ends[e]; end.HasQPN && !c.IWARP() {
			do(queuePair{end.Addr, end.QPN}, c.Ends[flow.End(e).Peer()].Addr)
		}
	}
}

// A joined queue pair takes packets from one address.
type joined struct {
	to   queuePair
	from link.Addr
}

func setUp005(c *rules.Conn, _ rules.Reporter) {
	if c.Closing == flow.Rejected {
		return // nothing was set up
	}
	each(c, func(to queuePair, from link.Addr) { rules.Publish(c, joined{to, from}) })
	if c.Established && !c.IWARP() && c.Setup == flow.SetupCM {
		rules.Publish(c, made{pairsOf(c), flow.Moment{Ref: c.First, Time: c.FirstTime}})
	}
}

func joined005(e *rules.ConnRef, x *joined, _ rules.Reporter) {
	who := &crossState(e).identities
	if who.senders == nil {
		who.senders = make(map[queuePair]link.Addr)
	}
	who.senders[x.to] = x.from
}

func over005(e *rules.ConnRef, c *rules.Conn, _ rules.Reporter) {
	who := &crossState(e).identities
	each(c, func(to queuePair, _ link.Addr) { delete(who.senders, to) })
}

// A stranger is a packet of no connection.
type stranger struct {
	about  *rules.About
	to     queuePair
	from   link.Addr
	opcode rocev2.OpCode
}

func captured005(k *rules.Capture, v *dissect.FrameView) {
	switch {
	case v.IB == nil || v.ICRC() == rocev2.ICRCWrong:
	case v.Connection != nil:
		requested(k, v)
	case v.IB.OpCode.Known() && v.IB.OpCode.Transport() == rocev2.TransportRC:
		rules.PublishOfCapture(k, stranger{rules.AboutFrame(v), queuePair{v.Link.Dst(), v.IB.DestQP}, v.Link.Src(), v.IB.OpCode})
	}
}

// stranger005 looks for the connection that the queue pair has with another.
func stranger005(e *rules.ConnRef, x *stranger, report rules.Reporter) {
	from, ok := crossState(e).identities.senders[x.to]
	if !ok || from == x.from {
		return
	}
	if f := report.About("a", x.about, ""); f != nil {
		f.Messagef("%s sent %s to queue pair 0x%06x of %s, which is connected to %s", x.from, x.opcode, x.to.qpn, x.to.addr, from)
		f.See("source address", x.from.String(), from.String()).See("DestQP", x.to.qpn, nil)
	}
}

// requested looks for a REQ.
func requested(k *rules.Capture, v *dissect.FrameView) {
	c := v.Connection
	t := &c.Handshake.Declared[0]
	if c.Setup != flow.SetupCM || !t.Whole || t.Frame != rules.Ref(v) {
		return
	}
	rules.PublishOfCapture(k, request{
		rules.AboutFrame(v), queuePair{v.Link.Src(), t.QPN}, t.CommID, t.StartingPSN.Value, t.PrivateData, t.Frame,
	})
}

// request005 looks at a REQ.
func request005(e *rules.ConnRef, now *request, report rules.Reporter) {
	who := &crossState(e).identities
	for was := range who.asked.All() {
		if was.from != now.from || was.id != now.id || was.psn != now.psn {
			continue
		}
		if bytes.Equal(was.private, now.private) {
			return
		}
		if f := report.About("c", now.about, ""); f != nil {
			f.Messagef("%s retransmitted the REQ of frame %s with different private data", now.from.addr, e.FrameName(was.frame))
			f.See("communication ID", rules.Handle(now.id), nil).With(was.frame)
		}
		return
	}
	kept := who.asked.Add(mostAsked)
	*kept = *now
	kept.about = nil
}
