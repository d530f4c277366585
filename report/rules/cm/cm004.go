package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// doubtInvalid is what else a NAK may mean.
const doubtInvalid = "an invalid request may have other reasons than its length"

func cm004() *rules.Rule {
	return &rules.Rule{
		ID: "CM-004", Title: "Declared sizes contradicted",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An end does not keep to the sizes that it told in its own private data: it sends longer messages than its Send Size, or " +
			"refuses one that is no longer than its Receive Size.",
		Why: "The other end posts receives, and uses chunks, by what it was told. If that is wrong, receives fail and the connection is " +
			"lost again and again.",
		Advice:    "Look at how that end fills the two octets of sizes: they are the number of KiB less one, of the buffers that it really uses.",
		Reference: "RFC 8797, sections 4 and 4.2",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "Case b is only likely if the refusal is a NAK, which has other reasons too, and is silent for a Send with Invalidate. " +
			"Silent about messages of version 2, whose ends tell their sizes otherwise.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Send longer than the sender's own Send Size", Severity: rules.Error},
			{Letter: "b", Title: "a Send refused that is not longer than the Receive Size", Severity: rules.Warning},
		},
		Needs: []rules.Knowledge{setup.Knowledge(), requests.Knowledge()},
		On:    []rules.Event{requests.OnRefusal(refused004), rules.OnMessage(rules.AboveDefault, message004)},
		Fires: []rules.Sample{
			{Name: "the client sends more than it said", Scene: `
				connect client=1024/4096 server=4096/4096
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    want CM-004a 1024+1096
				    want THRESH-002
				reply 1
				disconnect`},
			{Name: "the server refuses what it said it takes", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				nak server invalid
				    want CM-004b frame
				    want TRANS-005
				disconnect`},
			{Name: "a Terminate for what it said it takes", Over: rules.IWARP, Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				terminate server 1/2/5
				    want CM-004b
				    want TRANS-012
				reset server`},
		},
		Silent: []rules.Sample{
			{Name: "version 2 has other sizes", Scene: `
				connect client=1024/4096 server=4096/4096
				version 2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000)
				reply 2
				disconnect`},
			{Name: "longer than the other takes, not than it said", Scene: `
				connect client=4096/4096 server=4096/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    want THRESH-002
				reply 1
				disconnect`},
			{Name: "the refused Send was too long", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=4096/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				    want THRESH-002
				nak server invalid
				    want THRESH-010
				    want TRANS-005
				disconnect`},
		},
	}
}

func refused004(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	s, p := r.Sent, setup.Private(c, r.From)
	if !r.OfLength() || c.BeganLate() || p == nil || s.Length > p.ReceiveSize() || s.Invalidates || s.Version != rpcrdma.Version1 {
		return
	}
	doubt := ""
	if !r.TooLong {
		doubt = doubtInvalid
	}
	if f := r.Find(say, "b", doubt); f != nil {
		b := setup.Of(c)
		f.Sayf("the %s refused a Send of %d octets with %s, and told a Receive Size of %d", c.Sender(r.From), s.Length, r.Text, p.ReceiveSize())
		f.See("Receive Size", p.ReceiveSize(), nil).See("Send length", s.Length, nil)
		f.At(b.PrivateAt(c, r.From, sizesAt+1, 1)).With(b.Told[r.From&1].Frame)
	}
}

func message004(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Length <= rpcrdma.DefaultThreshold || m.Header.Version != rpcrdma.Version1 || c.BeganLate() || m.Whole && m.Header.Fault.Bad() {
		return
	}
	p := setup.Private(c, m.From)
	if p == nil || m.Length <= p.SendSize() {
		return
	}
	if f := say.Message("a", m, ""); f != nil {
		f.Sayf("the %s sent %d octets, and told a Send Size of %d", c.Sender(m.From), m.Length, p.SendSize())
		f.See("Send length", m.Length, p.SendSize()).In(m, p.SendSize(), m.Length-p.SendSize())
		f.With(setup.Of(c).Told[m.From&1].Frame)
	}
}
