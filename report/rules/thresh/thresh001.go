package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// agreed is how many Sends above the default make it likely that both ends were
// set up for more.
const agreed = 100

func thresh001() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-001", Title: "Default threshold exceeded",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A Send is longer than 1024 octets although its receiver gave no private data of RPC-over-RDMA in the set-up, so that " +
			"the default inline threshold holds.",
		Why: "The message arrives only if the receiver happens to post larger buffers. If it does not, the receive fails and the " +
			"connection is lost.",
		Advice: "Find out why the receiver's private data is absent or not valid, and let the sender use chunks for messages above 1024 " +
			"octets until it is.",
		Reference: "RFC 8166, section 3.3.3; RFC 8797, section 4",
		Gates:     rules.Gates{rules.LikelyIf(rules.BeganLate)},
		Limits: "A warning if more than 100 such Sends went by in a direction and none was refused: the two ends may share a setting that no " +
			"frame shows. Of a connection whose set-up is not in the capture nothing is known but the longest Send, which is told as a note. " +
			"Calls of the server and their replies are THRESH-004's.",
		Causes: []string{"THRESH-006b", "CM-001", "CM-003"},
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			requests.OnRefusal(refused001),
			rules.OnMessage(rules.AboveDefault, message001),
			rules.OnEnd(end001),
		},
		Fires: []rules.Sample{
			{Name: "a long call to a server without private data", Scene: `
				connect client=4096/4096 server=none
				call 1 NFS3 WRITE data=bytes(1200) count=1200
				    want THRESH-001 1024+296
				reply 1
				disconnect`},
			{Name: "a long reply to a client of another format", Scene: `
				connect client=hex(deadbeef01010303) server=4096/4096
				call 1 program=400100 version=1 procedure=5 raw=bytes(4)
				reply 1 raw=bytes(2000)
				    want THRESH-001
				    want CM-001c
				disconnect`},
			{Name: "the set-up is not in the capture", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 READ count=2000
				reply 2 data=bytes(2000)
				    want THRESH-001
				call 3 NFS3 GETATTR
				reply 3`},
		},
		Silent: []rules.Sample{
			{Name: "1024 octets are allowed", Scene: `
				connect client=4096/4096 server=none
				call 1 program=400100 version=1 procedure=5 raw=bytes(956)
				    cred none
				reply 1 raw=bytes(4)
				disconnect`},
			{Name: "the sender gave none, but the receiver said what it takes", Scene: `
				connect client=none server=4096/4096
				call 1 NFS3 WRITE data=bytes(1200) count=1200
				reply 1
				disconnect`},
			{Name: "the message is long, the Send is not", Scene: `
				connect client=none server=none
				call 1 NFS3 WRITE data=bytes(1200) count=1200
				    long 0x801 all
				reply 1
				disconnect`},
		},
	}
}

// above are the Sends of one end above the default threshold, as long as that may
// be its limit.
type above struct {
	count   int
	longest int
	refused bool // one of them
	// The first of them or, while the limit is not known, the longest.
	rules.PastMessage
	length int
}

func refused001(c *rules.Conn, r *requests.Refusal, _ rules.Say) {
	if s := r.Sent; r.OfLength() && s.Length > rpcrdma.DefaultThreshold && s.Version == rpcrdma.Version1 {
		rules.Some(&of(c).above)[s.From&1].refused = true
	}
}

func message001(c *rules.Conn, m *dissect.Message, _ rules.Say) {
	if !aboveDefault(m) || reverse(c, m) {
		return
	}
	// What the receiver told may come later than the message, where the
	// directions come from two captures: the end judges.
	l, known := setup.LimitOf(c, m.From)
	if known && !l.Default {
		return
	}
	a := &rules.Some(&of(c).above)[m.From&1]
	a.count++
	if m.Length <= a.longest {
		return
	}
	a.longest = m.Length
	if a.count == 1 || !known {
		a.PastMessage, a.length = pastExcess(m, rpcrdma.DefaultThreshold), m.Length
	}
}

func end001(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.above == nil {
		return
	}
	for e := range flow.End(2) {
		a := &k.above[e]
		if a.count == 0 {
			continue
		}
		l, known := setup.LimitOf(c, e)
		switch {
		case !known && c.BeganLate():
			observed(c, say, e, a)
		case !known || !l.Default:
		case a.count > agreed && !a.refused:
			tell001(c, say.As(rules.Warning), e, a)
		default:
			tell001(c, say.As(rules.Error), e, a)
		}
	}
}

func tell001(c *rules.Conn, say rules.Say, e flow.End, a *above) {
	if f := say.Past("", &a.PastMessage, ""); f != nil {
		f.Sayf("the %s sent %d octets; the %s gave no private data, so that the limit is the default of %d",
			c.Sender(e), a.length, c.Sender(e.Peer()), rpcrdma.DefaultThreshold)
		f.See("Send length", a.length, rpcrdma.DefaultThreshold).See("such Sends", a.count, nil).See("longest of them", a.longest, nil)
	}
}

// observed tells the longest Send where nothing is known of the limit.
func observed(c *rules.Conn, say rules.Say, e flow.End, a *above) {
	if f := say.As(rules.Note).Past("", &a.PastMessage, rules.DoubtLate); f != nil {
		f.Octets = nil
		f.Sayf("the longest Send of the %s has %d octets; what inline threshold was agreed on is not in the capture", c.Sender(e), a.longest)
		f.See("longest Send", a.longest, nil).See("Sends above 1024 octets", a.count, nil)
	}
}
