package cm

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func cm006() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.BeganLate)},
		Needs:       []rules.Knowledge{known()},
		On:          []rules.Event{onHandshakeKnown(handshake006), rules.OnFrame(rules.Ending, frame006)},
	}
}

func handshake006(c *rules.Conn, b *setup.Handshake, report rules.Reporter) {
	client, server := &b.Declared[c.ClientEnd&1], &b.Declared[c.ClientEnd.Peer()&1]
	if client.Depths() && server.Depths() {
		depths006(c, report, client, server)
	}
}

func frame006(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	t := c.Termination
	if t == nil || state.Of(c).ended {
		return
	}
	state.Of(c).ended = true
	if t.Code() != iwarp.InsufficientIRD {
		return
	}
	report.Moment("c", rules.Ref(v), v.Frame.Time, &c.TerminatedBy, "").
		Messagef("the %s ended the connection: %v", c.Sender(c.TerminatedBy), t).
		See("Terminate", t.String(), nil)
}

func depths006(c *rules.Conn, report rules.Reporter, client, server *flow.Declared) {
	takes, issues := "Responder Resources of the REQ", "Initiator Depth of the REP"
	if c.IWARP() {
		takes, issues = "IRD of the MPA Request", "ORD of the MPA Reply"
	}
	var expected any = "at most the client's"
	letter, text := "", ""
	switch {
	case client.Takes.Value == 0 || server.Issues.Value == 0:
		letter, text = "b", "the server issues %d RDMA Reads at a time and the client accepts %d: no Read chunk can be fetched"
		expected = "at least 1"
	case server.Issues.Value > client.Takes.Value:
		letter, text = "a", "the server issues %d RDMA Reads at a time, but the client accepts only %d"
		expected = fmt.Sprintf("at most %d", client.Takes.Value)
	default:
		return
	}
	e := c.ClientEnd.Peer()
	if letter == "b" && client.Takes.Value == 0 {
		e = c.ClientEnd
	}
	shown := server
	if f := report.Moment(letter, shown.Frame, shown.Time, &e, ""); f != nil {
		f.Messagef(text, server.Issues.Value, client.Takes.Value)
		f.See(issues, server.Issues.Value, expected)
		if letter == "b" {
			f.See(takes, client.Takes.Value, expected)
		} else {
			f.See(takes, client.Takes.Value, nil)
		}
		f.At(client.Place(client.Takes)).At(server.Place(server.Issues)).With(client.Frame)
	}
}
