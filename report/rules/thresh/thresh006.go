package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh006() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-006", Title: "Too long before version 2 is agreed on",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "The end that tries version 2 sent more than 1024 octets at once before the other had answered in that version by " +
			"anything but an error. Case b: version 2 was refused, and a Send of version 1 is longer than the default that holds then.",
		Why: "A peer that knows only version 1 need not have receives of more than 1024 octets. The Send that was to find that out " +
			"ends the connection, where an ERR_VERS would have been the answer.",
		Advice: "Let the requester begin with a short message, such as a NULL, and use 4096 octets when the first reply has come. After " +
			"an ERR_VERS the default of version 1 holds again.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 6 and 6.2; RFC 8166, section 3.3.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Receiver)),
		},
		Limits: "Where no message of the receiver follows it is likely only if the Send was refused. In case b the private data of the " +
			"receiver may allow more: then THRESH-002 judges.",
		Cases: []rules.Case{
			{Letter: "b", Title: "after the return to version 1", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused006),
			rules.OnMessage(rules.AboveDefault|rules.OtherVersion, message006),
			rules.OnEnd(end006),
		},
		Fires: []rules.Sample{
			{Name: "the first call", Scene: `
				connect version=2
				call 1 NFS3 WRITE data=bytes(1200)
				    want THRESH-006 1024+304
				reply 1
				disconnect`},
			{Name: "characteristics of 1100 octets before the first call", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RBSIZ=8192 0xffffff01=bytes(1100)]
				    want THRESH-006
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "a second call behind an error that is no ERR_VERS", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 BAD_XDR
				call 2 NFS3 WRITE data=bytes(1200)
				    want THRESH-006
				reply 2
				disconnect`},
			{Name: "version 1 with the threshold of version 2", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 2 NFS3 NULL
				reply 2
				call 3 NFS3 WRITE data=bytes(2000)
				    want THRESH-006b 1024+1096
				    want THRESH-001
				reply 3
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "more than 1024 octets when the reply has come", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(1200)
				reply 2
				disconnect`},
			{Name: "the first call has 1024 octets", Scene: `
				connect version=2
				call 1 program=400100 version=1 procedure=5 raw=bytes(948)
				    cred none
				reply 1 raw=bytes(4)
				disconnect`},
			{Name: "the reply is missing from the capture", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				    drop
				call 2 NFS3 WRITE data=bytes(1200)
				reply 2
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "private data allow more in version 1", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 2 NFS3 WRITE data=bytes(2000)
				reply 2
				disconnect`},
			{Name: "the capture began later", Scene: `
				version 2
				call 1 NFS3 WRITE data=bytes(1200)
				reply 1
				call 2 NFS3 WRITE data=bytes(1200)
				reply 2`},
		},
	}
}

// early are the Sends that came too early for their length.
type early struct {
	// found is the first before version 2 was agreed on, and the first after it was refused.
	found *[2]tooEarly
	// began says that an end tried version 2, cut that a message since then is not whole,
	// refused that a Send of those found was.
	began, cut, refused bool
}

// tooEarly is a Send that came too early for its length.
type tooEarly struct {
	rules.PastMessage
	letter string
	first  bool // nothing came before it
	length int
}

func refused006(c *rules.Conn, r *requests.Refusal, _ rules.Say) {
	if k := ifAny(c); k != nil && k.early.found != nil {
		x := k.early.found
		k.early.refused = k.early.refused || r.Sent.Frame == x[0].Ref || r.Sent.Frame == x[1].Ref
	}
}

func message006(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	n, tried := c.Negotiation()
	if !tried {
		return
	}
	k := &of(c).early
	first := !k.began
	k.began = true
	k.cut = k.cut || !m.Whole // it may have been the answer
	if m.Length <= rpcrdma.DefaultThreshold || m.Whole && m.Header.Fault.Bad() || m.Header.Length < rpcrdma.FixedSize {
		return
	}
	found, letter := 0, ""
	switch m.Header.Version {
	case rpcrdma.Version2:
		// What agrees may be the message itself, if the other spoke before.
		if n.By != m.From || m.From != c.ClientEnd || n.Agreed != 0 {
			return
		}
	case rpcrdma.Version1:
		l, known := setup.LimitOf(c, m.From)
		if !n.Refused || n.Low > rpcrdma.Version1 || m.Frame().Compare(n.RefusedIn) < 0 || !known || !l.Default {
			return
		}
		found, letter = 1, "b"
	default:
		return
	}
	x := &rules.Some(&k.found)[found]
	if x.Seen() {
		return
	}
	*x = tooEarly{pastExcess(m, rpcrdma.DefaultThreshold), letter, first, m.Length}
}

func end006(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.early.found == nil || c.Asked(rules.AnyCut, k.early.cut) {
		return
	}
	for i := range k.early.found {
		if x := &k.early.found[i]; x.Seen() {
			x.tell(c, say, k.early.refused)
		}
	}
}

// tell says it unless an answer may be missing that was there before.
func (x *tooEarly) tell(c *rules.Conn, say rules.Say, refused bool) {
	if !c.AllCaptured() {
		return
	}
	doubt := ""
	if !x.first && !c.WentOn(x.From.Peer(), x.Moment) {
		if doubt = unseen; !refused {
			return
		}
	}
	f := say.Past(x.letter, &x.PastMessage, doubt)
	if f == nil {
		return
	}
	if x.letter == "b" {
		f.Sayf("the %s sent %d octets after version 2 was refused, and the %s gave no private data: the limit is %d", c.Sender(x.From), x.length,
			c.Sender(x.From.Peer()), rpcrdma.DefaultThreshold)
	} else {
		f.Sayf("the %s sent %d octets before the %s showed that it speaks version 2: the limit is %d until then", c.Sender(x.From), x.length,
			c.Sender(x.From.Peer()), rpcrdma.DefaultThreshold)
	}
	f.See("Send length", x.length, rpcrdma.DefaultThreshold)
}
