package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

const (
	endless = 3 // times that a Send goes out again count as without an end
	unseen  = "what accepted it may be missing from the capture"
)

func thresh010() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-010", Title: "Oversize Send ended the connection",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A Send was longer than its receiver takes, and that is what the connection ended by: the receiver refused it as an " +
			"invalid request or by a Terminate, the connection was torn down before the Send was accepted, or it was sent again and " +
			"again without an answer.",
		Why: "This is the cause of the disconnect. The call that it belongs to is made again on the next connection and will end that " +
			"one too.",
		Advice: "Compare the buffers that the receiver posts with the limit that the sender keeps to. On which side the mistake is " +
			"tell the findings THRESH-001, THRESH-002, THRESH-004, THRESH-005, THRESH-006 and CM-004.",
		Reference: "RFC 8166, sections 3.3.2 and 4.5.3; RFC 8797, section 3.1; InfiniBand Architecture 1.3, volume 1, section 9.7.5.2; RFC 5041, section 7.2; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 2.1",
		Gates: rules.Gates{
			rules.LikelyIf(rules.BeganLate),
			rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Disordered).Of("a tear-down").Since("the Send"),
			rules.DetailIf(rules.Lossy, rules.AnyCut),
		},
		Limits: "A NAK must be for a PSN of the Send, and a Terminate must name its MSN if it names any. Where the thresholds are not " +
			"known the limit is taken for 1024 octets, in version 2 for 4096 if the refusal says that the Send was too long. A " +
			"tear-down counts within the configured time (2 s), and over iWARP only if the receiver sent no message after the " +
			"Send; it is a warning unless the Send was sent again before, for what accepted it may be missing from the capture " +
			"without a trace.",
		Causes: []string{"THRESH-001", "THRESH-002", "THRESH-004", "THRESH-005", "THRESH-006"},
		Needs:  []rules.Knowledge{requests.Knowledge(), setup.Knowledge(), setup.ReceivedKnowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused010),
			rules.OnMessage(rules.AboveDefault|rules.AwaitedMessage, message010),
			rules.OnFrame(rules.Awaited, frame010),
			rules.OnEnd(end010),
		},
		Fires: []rules.Sample{
			{Name: "a NAK", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				    want THRESH-002
				nak server invalid
				    want THRESH-010 frame
				    want TRANS-005
				disconnect`},
			{Name: "a Terminate", Over: rules.IWARP, Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    want THRESH-002
				terminate server 1/2/5
				    want THRESH-010 frame
				    want TRANS-012
				reset server`},
			{Name: "the first message of version 2", Over: rules.RoCE, Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 WRITE data=bytes(2000)
				    noack
				    want THRESH-006
				nak server invalid
				    want THRESH-010 frame
				    want TRANS-005
				disconnect`},
			{Name: "a Terminate in version 2", Over: rules.IWARP, Scene: begin005 + `
				call 3 NFS3 WRITE data=bytes(9000)
				    want THRESH-005
				terminate server 1/2/5
				    want THRESH-010 frame
				    want TRANS-012
				reset server`},
			{Name: "the connection is torn down", Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				    want THRESH-002
				wait 10ms
				disconnect server
				    want THRESH-010`},
			{Name: "sent again and again", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				    want THRESH-002
				wait 4ms
				resend
				wait 4ms
				resend
				wait 4ms
				resend
				    want THRESH-010
				    want TRANS-006
				wait 5s
				disconnect client`},
			{Name: "the set-up is not in the capture", Over: rules.RoCE, Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				nak server invalid
				    want THRESH-010 frame
				    want TRANS-005`},
		},
		Silent: []rules.Sample{
			{Name: "the Send was accepted, and the connection closed", Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    want THRESH-002
				reply 1
				disconnect server`},
			{Name: "the snap length cuts the reply by which the ends agree on version 2", Over: rules.IWARP, Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000)
				terminate server 1/2/5
				    want TRANS-012
				reset server
				snap 120`},
			{Name: "a NAK for the Send before", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    noack
				call 3 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				    want THRESH-002
				nak server invalid of 2
				    want TRANS-005
				wait 3s
				disconnect`},
			{Name: "a Terminate for another reason", Over: rules.IWARP, Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    want THRESH-002
				reply 1
				terminate server 2/0/2
				    want TRANS-012
				reset server`},
			{Name: "the refused Send is not too long", Over: rules.RoCE, Scene: `
				connect client=4096/4096 server=4096/4096
				call 1 NFS3 WRITE data=bytes(2000) count=2000
				    noack
				nak server invalid
				    want TRANS-005
				disconnect`},
		},
	}
}

func refused010(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	s := r.Sent
	if !r.OfLength() {
		return
	}
	limit, doubt := rpcrdma.DefaultThreshold, ""
	if l, known := limitAt(c, s.Version, s.From, s.Begin, s.Time); known {
		limit = l.Octets
	} else if s.Version == rpcrdma.Version2 {
		if limit = rpcrdma.Version2Threshold; !r.TooLong {
			return // its receiver may have announced more
		}
	} else if !r.TooLong {
		doubt = rules.DoubtLate
	}
	if s.Length <= limit || s.Version != rpcrdma.Version1 && s.Version != rpcrdma.Version2 {
		return
	}
	if f := r.Find(say, "", doubt); f != nil {
		f.Sayf("the %s refused a Send of %d octets, which may have %d, with %s", c.Sender(r.From), s.Length, limit, r.Text)
		f.See("Send length", s.Length, limit)
		see(c, f, s.Version)
		f.With(r.Frame)
	}
	if x := pending(c); x != nil {
		x[s.From&1].pending = false
	}
}

// pending are the Sends of a connection that are too long, nil if there was none.
func pending(c *rules.Conn) *[2]oversize {
	if k := ifAny(c); k != nil {
		return k.pending
	}
	return nil
}

func message010(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	if x := pending(c); x != nil && c.IWARP() {
		x[m.From.Peer()&1].pending = false
	}
	l, ok := tooLongToo(c, m)
	if !ok {
		return
	}
	if o := &rules.Some(&of(c).pending)[m.From&1]; !o.pending {
		*o = oversize{Request: *requests.Of(c).Newest(m.From), limit: l.Octets, pending: true, call: m.Role() == dissect.RoleCall}
		c.AwaitFrames(rules.KeepsTHRESH, true)
		c.AwaitMessages(rules.KeepsTHRESH, true)
	}
}

func frame010(c *rules.Conn, v *dissect.FrameView, _ rules.Say) {
	x := pending(c)
	if x == nil {
		return
	}
	for e := range x {
		if x[e].pending {
			x[e].frame(v)
		}
	}
	waits := x[0].pending || x[1].pending
	c.AwaitFrames(rules.KeepsTHRESH, waits)
	c.AwaitMessages(rules.KeepsTHRESH, waits)
}

func end010(c *rules.Conn, say rules.Say) {
	x := pending(c)
	if x == nil {
		return
	}
	for e := range x {
		if o := &x[e]; o.pending && c.Whole(o.Begin) && !c.Disordered() {
			o.end(c, setup.Of(c), say)
		}
	}
}
