package sec

import (
	"bytes"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func sec005() *rules.Rule {
	return &rules.Rule{
		ID: "SEC-005", Title: "Endpoint identity anomaly",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "Somebody else seems to speak for one end of a connection: packets for its queue pair come from another address, a " +
			"REQ takes a queue pair that is in use, or a REQ that is sent again has other private data.",
		Why: "On a reliable connection only the two ends may send. Anything else is spoofing, an address that two hosts share, or " +
			"a failover that left state behind.",
		Advice: "Find out which host has the address. Where a failover is meant to happen, see that the old connection is torn down " +
			"first.",
		Reference: "RFC 8797, section 7; RFC 8166, section 8.2.2; InfiniBand Architecture 1.3, volume 1, section 9.6",
		Limits: "For RoCE. UDP source ports and MAC addresses may change, as bonds and routers make them, and are not looked at; a " +
			"packet that repeats a PSN with other contents is TRANS-002's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "packets for a queue pair come from a third address", Severity: rules.Warning},
			{Letter: "b", Title: "a REQ takes a queue pair that is in use", Severity: rules.Warning},
			{Letter: "c", Title: "a REQ that was sent again has other private data", Severity: rules.Warning},
		},
		On:        []rules.Event{rules.OnSetUp(setUp005), rules.OnEnd(end005)},
		OnCapture: []rules.CaptureEvent{rules.OnCaptureFrame(rules.Datagram|rules.Unconnected, captured005)},
		Fires: []rules.Sample{
			{Name: "a third host sends to the server's queue pair", Over: rules.RoCE, Scene: `
				connect clientaddr=192.0.2.2 serverqpn=0x15
				call 1 NFS3 NULL
				reply 1
				connect B clientaddr=192.0.2.9 serverqpn=0x16
				packet client opcode=4 qpn=0x15 payload=bytes(16)
				    want SEC-005a frame
				on A
				disconnect`},
			{Name: "a new connection takes the client's queue pair", Over: rules.RoCE, Scene: `
				connect clientqpn=0x15 commid=7
				call 1 NFS3 NULL
				reply 1
				want SEC-005b
				connect B clientqpn=0x15 commid=8
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the REQ comes again with other private data", Over: rules.RoCE, Scene: `
				setup
				connect A commid=7 clientqpn=0x15 clientpsn=5 serverqpn=0x16 serverpsn=6
				connect B commid=7 clientqpn=0x15 clientpsn=5 serverqpn=0x16 serverpsn=6 client=8192/8192
				    drop frame 2
				    drop frame 3
				    want SEC-005c frame 1`},
		},
		Silent: []rules.Sample{
			{Name: "two hosts, each with a queue pair of its own", Over: rules.RoCE, Scene: `
				connect clientaddr=192.0.2.2 serverqpn=0x15
				call 1 NFS3 NULL
				reply 1
				connect B clientaddr=192.0.2.9 serverqpn=0x16
				call 2 NFS3 NULL
				reply 2
				disconnect`},
		},
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
	asked   [32]request
	next    int
}

// request is what is remembered of a REQ.
type request struct {
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

func setUp005(c *rules.Conn, _ rules.Say) {
	who := &ofCapture(c.Capture).identities
	if who.senders == nil {
		who.senders = make(map[queuePair]link.Addr)
	}
	each(c, func(to queuePair, from link.Addr) { who.senders[to] = from })
}

func end005(c *rules.Conn, say rules.Say) {
	who := &ofCapture(c.Capture).identities
	each(c, func(to queuePair, _ link.Addr) { delete(who.senders, to) })
	if c.Closing != flow.Replaced || c.IWARP() || c.Setup != flow.SetupCM {
		return
	}
	const doubt = "the messages that ended the old connection may be missing from the capture"
	if f := say.Connection("b", doubt); f != nil {
		f.Sayf("a new connection was set up with a queue pair of this one, which nobody had ended")
		f.See("client QPN", c.Client().QPN, nil).See("server QPN", c.Server().QPN, nil).With(c.Last)
	}
}

func captured005(k *rules.Capture, v *dissect.FrameView, say rules.Say) {
	switch {
	case v.IB == nil || v.ICRC() == rocev2.ICRCWrong:
	case v.Connection != nil:
		ofCapture(k).identities.request(k, v, say)
	case v.IB.OpCode.Known() && v.IB.OpCode.Transport() == rocev2.TransportRC:
		ofCapture(k).identities.stranger(v, say)
	}
}

// stranger looks at a packet of no connection.
func (who *identities) stranger(v *dissect.FrameView, say rules.Say) {
	from, ok := who.senders[queuePair{v.Link.Dst(), v.IB.DestQP}]
	if !ok || from == v.Link.Src() {
		return
	}
	if f := say.Frame("a", v, ""); f != nil {
		f.Sayf("%s sent %s to queue pair 0x%06x of %s, which is connected to %s", v.Link.Src(), v.IB.OpCode, v.IB.DestQP, v.Link.Dst(), from)
		f.See("source address", v.Link.Src().String(), from.String()).See("DestQP", v.IB.DestQP, nil)
	}
}

// request looks at a REQ.
func (who *identities) request(k *rules.Capture, v *dissect.FrameView, say rules.Say) {
	c := v.Connection
	t := &c.Handshake.Told[0]
	if c.Setup != flow.SetupCM || !t.Whole || t.Frame != rules.Ref(v) {
		return
	}
	now := request{queuePair{v.Link.Src(), t.QPN}, t.CommID, t.StartingPSN.Value, t.PrivateData, t.Frame}
	for i := range who.asked {
		was := &who.asked[i]
		if was.from != now.from || was.id != now.id || was.psn != now.psn {
			continue
		}
		if bytes.Equal(was.private, now.private) {
			return
		}
		if f := say.Frame("c", v, ""); f != nil {
			f.Sayf("%s sent the REQ of frame %s again, with other private data", v.Link.Src(), k.FrameName(was.frame))
			f.See("communication ID", rules.Handle(t.CommID), nil).With(was.frame)
		}
		return
	}
	who.asked[who.next] = now
	who.next = (who.next + 1) % len(who.asked)
}
