package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh005() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-005", Title: "Size limit of version 2 exceeded",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "A Send of version 2 is longer than its receiver announced in XCHAR_RBSIZ, or than 4096 octets where it announced " +
			"nothing.",
		Why: "Nothing obliges the receiver to have a larger buffer posted. The receive fails with a length error, and the " +
			"connection is terminated.",
		Advice: "Look at which value the sender goes by. A larger one counts from the receiver's own INIT_XCHAR, UPD_XCHAR, or " +
			"RESP_XCHAR that says it is done on; what was only asked for, or is pending, does not.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, sections 2.3 and 6.1; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 3 and 3.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Receiver)),
			rules.SilentIf(rules.BeganLate).Of("what no announcement allows"),
		},
		Limits: "A warning if there is one such Send only and the receiver went on behind it: it may take more than it says. One that " +
			"it refused needs no message behind it. A value that was lowered counts once the sender answered something that the " +
			"receiver sent behind it. Private data that allow more than 4096 octets count where no value was announced. Calls of " +
			"the server and their replies are THRESH-004's, and what comes before version 2 is agreed on is THRESH-006's.",
		Causes: []string{"XCHAR-009", "XCHAR-001", "XCHAR-005"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge(), requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused005),
			rules.OnMessage(rules.OtherVersion, message005),
			rules.OnEnd(end005),
		},
		Fires: []rules.Sample{
			{Name: "more than the default, again and again", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(5000)
				    want THRESH-005 4096+1032
				reply 2
				call 3 NFS3 WRITE data=bytes(5000)
				reply 3
				disconnect`},
			{Name: "once, and the receiver took it", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(5000)
				    want THRESH-005 4096+1032
				reply 2
				disconnect`},
			{Name: "the buffer that was asked for is not there yet", Scene: begin005 + `
				optional 12 client REQ_XCHAR [RBSIZ=16384]
				optional 12 server RESP_XCHAR pend=[0]
				call 3 NFS3 WRITE data=bytes(9000)
				    want THRESH-005 8192+936
				reply 3
				disconnect`},
			{Name: "a reply longer than the client's buffer, and refused", Over: rules.RoCE, Scene: begin005 + `
				call 3 program=400100 version=1 procedure=5 raw=bytes(4)
				reply 3 raw=bytes(9000)
				    noack
				    want THRESH-005
				nak client invalid
				    want THRESH-010 frame
				    want TRANS-005
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "as much as was announced", Scene: begin005 + `
				call 3 NFS3 WRITE data=bytes(8000)
				reply 3
				call 4 NFS3 WRITE data=bytes(8000)
				reply 4
				disconnect`},
			{Name: "the update says that the larger buffer is there", Scene: begin005 + `
				optional 12 client REQ_XCHAR [RBSIZ=16384]
				optional 12 server RESP_XCHAR pend=[0]
				optional 13 server UPD_XCHAR RBSIZ=16384 pendclr=TRUE
				call 3 NFS3 WRITE data=bytes(9000)
				reply 3
				call 4 NFS3 WRITE data=bytes(9000)
				reply 4
				disconnect`},
			{Name: "the larger buffer is there, if the most significant bit is the first", Scene: begin005 + `
				optional 12 client REQ_XCHAR [RBSIZ=16384]
				optional 12 server RESP_XCHAR done=[31]
				call 3 NFS3 WRITE data=bytes(9000)
				reply 3
				call 4 NFS3 WRITE data=bytes(9000)
				reply 4
				disconnect`},
			{Name: "a smaller buffer, of which the client need not know yet", Scene: begin005 + `
				optional 13 server UPD_XCHAR RBSIZ=4096
				call 3 NFS3 WRITE data=bytes(7000)
				reply 3
				disconnect`},
			{Name: "the larger buffer may have been announced before the capture began", Scene: `
				version 2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				reply 2
				call 3 NFS3 WRITE data=bytes(9000)
				reply 3
				call 4 NFS3 WRITE data=bytes(9000)
				reply 4`},
			{Name: "the update is missing from the capture", Scene: begin005 + `
				optional 13 server UPD_XCHAR RBSIZ=16384
				    drop
				call 3 NFS3 WRITE data=bytes(9000)
				reply 3
				call 4 NFS3 WRITE data=bytes(9000)
				reply 4
				disconnect`},
			{Name: "buffers of less than version 2 needs, and a sender that does not know of them", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				optional 10 server INIT_XCHAR [RBSIZ=2048]
				call 2 NFS3 NULL
				reply 2
				call 3 NFS3 WRITE data=bytes(3000)
				reply 3
				disconnect`},
		},
	}
}

// begin005 is the begin of a scene in which both ends announce 8192 octets.
const begin005 = `
				connect version=2 client=none server=none
				optional 10 client INIT_XCHAR [RBSIZ=8192]
				optional 11 server INIT_XCHAR [RBSIZ=8192]
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				reply 2
`

// larger is the first Send of an end that is longer than version 2 allows.
type larger struct {
	rules.PastMessage
	count  int // how many such Sends there are
	length int
	limit  setup.Limit
	text   string // what it is
	// refused is the frame that refuses one of them, the zero Ref if none does.
	refused flow.Ref
}

func refused005(c *rules.Conn, r *requests.Refusal, _ rules.Say) {
	k, s := ifAny(c), r.Sent
	if k == nil || k.larger == nil {
		return
	}
	if x := &k.larger[s.From&1]; x.count > 0 && s.Version == rpcrdma.Version2 && s.Length > x.limit.Octets && r.OfLength() {
		x.refused = r.Frame
	}
}

func message005(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	if m.Length <= rpcrdma.DefaultThreshold || m.Header.Version != rpcrdma.Version2 || m.Whole && m.Header.Fault.Bad() || reverse(c, m) {
		return
	}
	l, known := setup.ReceivedOf(c).LimitOf(m)
	if !known || m.Length <= l.Octets {
		return
	}
	x := &rules.Some(&of(c).larger)[m.From&1]
	if x.count++; x.count > 1 {
		return
	}
	x.PastMessage, x.length, x.limit, x.text = pastExcess(m, l.Octets), m.Length, l, kind(m)
}

func end005(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	// What raised the limit may turn out to be missing, or to have come before.
	if k == nil || k.larger == nil || c.Lossy() || c.Gap() || c.Disordered() {
		return
	}
	for e := range k.larger {
		x := &k.larger[e]
		switch refused := x.refused != (flow.Ref{}); {
		case x.count == 0 || !refused && !c.WentOn(x.From.Peer(), x.Moment):
		case k.larger[0].count+k.larger[1].count == 1 && !refused:
			x.tell(c, say.As(rules.Warning))
		default:
			x.tell(c, say)
		}
	}
}

// tell says what one Send did.
func (x *larger) tell(c *rules.Conn, say rules.Say) {
	f := say.Past("", &x.PastMessage, "")
	if f == nil {
		return
	}
	f.Sayf("the %s's %s has %d octets; %s allows %d", c.Sender(x.From), x.text, x.length, x.limit.Why, x.limit.Octets)
	f.See("Send length", x.length, x.limit.Octets)
	f.See("such Sends", x.count, nil)
	if x.refused != (flow.Ref{}) {
		f.With(x.refused)
	}
}
