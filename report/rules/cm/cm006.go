package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func cm006() *rules.Rule {
	return &rules.Rule{
		ID: "CM-006", Title: "Depths of RDMA Reads do not fit",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The server said that it issues more RDMA Reads at a time than the client said that it takes, or one of them said that there " +
			"will be none at all.",
		Why: "Under load the client's adapter refuses a Read that is one too many, and the connection is lost. Without Reads a server " +
			"can fetch no Read chunk: each WRITE hangs.",
		Advice: "Let the server accept with an Initiator Depth (ORD) that is at most the client's Responder Resources (IRD), and neither of " +
			"them with 0.",
		Reference: "InfiniBand Architecture 1.3, volume 1, sections 12.6.5 and 12.6.8; RFC 6581, sections 6 and 9.1; RFC 8166, section 3.3.1",
		Gates:     rules.Gates{rules.SilentIf(rules.BeganLate)},
		Limits: "A client never reads, so its own depth and what the server takes do not matter. Silent if MPA leaves the depths to " +
			"the consumer.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the server issues more than the client takes", Severity: rules.Warning},
			{Letter: "b", Title: "Read chunks can never be fetched", Severity: rules.Warning},
			{Letter: "c", Title: "a Terminate for too small an IRD", Severity: rules.Warning},
		},
		Needs: []rules.Knowledge{known()},
		On:    []rules.Event{onBothTold(told006), rules.OnFrame(rules.Ending, frame006)},
		Fires: []rules.Sample{
			{Name: "the server issues 32, the client takes 16", Scene: `
				connect clientird=16 serverord=32
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				want CM-006a`},
			{Name: "the client takes none", Scene: `
				connect clientird=0 serverord=0
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				want CM-006b`},
			{Name: "the client's end of iWARP gives up", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				terminate client 2/0/6
				    want CM-006c
				    want TRANS-012
				reset client`},
		},
		Silent: []rules.Sample{
			{Name: "as many as the client takes", Scene: `
				connect clientird=16 serverord=16
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the client itself never reads", Scene: `
				connect clientird=16 clientord=0 serverird=0 serverord=16
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
		},
	}
}

func told006(c *rules.Conn, b *setup.Handshake, say rules.Say) {
	client, server := &b.Told[c.ClientEnd&1], &b.Told[c.ClientEnd.Peer()&1]
	if client.Depths() && server.Depths() {
		depths006(c, say, client, server)
	}
}

func frame006(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	t := c.Termination
	if t == nil || of(c).ended {
		return
	}
	of(c).ended = true
	if t.Code() != iwarp.InsufficientIRD {
		return
	}
	if f := say.Moment("c", rules.Ref(v), v.Frame.Time, &c.TerminatedBy, ""); f != nil {
		f.Sayf("the %s ended the connection: %v", c.Sender(c.TerminatedBy), t)
		f.See("Terminate", t.String(), nil)
	}
}

func depths006(c *rules.Conn, say rules.Say, client, server *flow.Told) {
	takes, issues := "Responder Resources of the REQ", "Initiator Depth of the REP"
	if c.IWARP() {
		takes, issues = "IRD of the MPA Request", "ORD of the MPA Reply"
	}
	var expected any = "at most the other"
	letter, text := "", ""
	switch {
	case client.Takes.Value == 0 || server.Issues.Value == 0:
		letter, text = "b", "the server issues %d RDMA Reads at a time and the client takes %d: no Read chunk can be fetched"
		expected = "at least 1"
	case server.Issues.Value > client.Takes.Value:
		letter, text = "a", "the server issues %d RDMA Reads at a time and the client takes %d"
	default:
		return
	}
	e := c.ClientEnd.Peer()
	if letter == "b" && client.Takes.Value == 0 {
		e = c.ClientEnd
	}
	shown := server
	if f := say.Moment(letter, shown.Frame, shown.Time, &e, ""); f != nil {
		f.Sayf(text, server.Issues.Value, client.Takes.Value)
		f.See(issues, server.Issues.Value, expected).See(takes, client.Takes.Value, nil)
		f.At(client.Place(client.Takes)).At(server.Place(server.Issues)).With(client.Frame)
	}
}
