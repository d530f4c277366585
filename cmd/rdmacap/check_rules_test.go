package main

import (
	"bytes"
	"context"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// scarecrows are rules that find something on every NFS connection, so that all
// that a finding can have is to be seen.
func scarecrows() []*rules.Rule {
	return []*rules.Rule{scarecrow1(), scarecrow2(), scarecrow3(), scarecrow4()}
}

// scarecrow1 finds the first call of each connection, and says all that a finding
// may say.
func scarecrow1() *rules.Rule {
	return rules.Documented("crow001.rule", `id: CROW-001
title: A call is sent
severity: error
since: 0.5
reference: RFC 8166, section 4.2.1
case b (error): the call is the first of its connection

== meaning
The client sent a call with an rdma_xid.

== why
It makes a test of what is printed.

== advice
Do nothing about it, since it is right: this text is only here so that it is long enough to need a second line.

== fires (no disconnect): a call
call 1 NFS3 NULL
    credits 2
`, rules.Check{On: []rules.Event{rules.OnMessage(0, func(c *rules.Conn, m *dissect.Message, say rules.Reporter) {
		if c.Messages > 1 {
			return
		}
		if f := say.Message("b", m, ""); f != nil {
			f.Messagef("the %s sent a call of %d bytes", c.Sender(m.From), m.Length)
			f.See("rdma_credit", m.Header.Credits, "at least 1").See("rdma_vers", m.Header.Version, 1)
			f.See("inline", true, nil).In(m, 8, 4)
		}
	})}})
}

// scarecrow2 finds every reply to the client, in doubt where the connection has none before it.
func scarecrow2() *rules.Rule {
	return &rules.Rule{
		Rule: finding.Rule{ID: "CROW-002", Title: "A call is answered", Severity: finding.Warning,
			Meaning: "The server sent a reply.", Reference: "RFC 8166, section 4.2", Causes: []string{"CROW-001"}},
		Check: rules.Check{On: []rules.Event{rules.OnRPC(0, func(_ *rules.Conn, r *dissect.RPC, say rules.Reporter) {
			if r.Reverse() {
				return
			}
			if f := say.RPC("", r, finding.DoubtLoss); f != nil {
				f.Messagef("%d frames carried the RPC", len(r.Frames)).With(r.Frames...)
				f.See("note", "a value that is so long that the table would be wider than a page and each value has a line of its own", "a shorter one")
			}
		})}},
	}
}

// scarecrow3 finds the end of each connection; what it finds hangs under what
// scarecrow2 does.
func scarecrow3() *rules.Rule {
	return &rules.Rule{
		Rule: finding.Rule{ID: "CROW-003", Title: "A connection ends", Severity: finding.Note,
			Meaning: "It ended.", Reference: "RFC 8166, section 3", Causes: []string{"CROW-002"}, Advice: "Open another."},
		Check: rules.Check{On: []rules.Event{rules.OnEnd(func(c *rules.Conn, say rules.Reporter) {
			if f := say.Moment("", c.Last, c.LastTime, nil, ""); f != nil {
				f.Messagef("the connection ended after %d messages", c.Messages)
			}
		})}},
	}
}

// lastSlot is where scarecrow4 keeps its newest moment.
const lastSlot = rules.CrossSlot[flow.Moment](rules.KeepsTest)

// scarecrow4 finds something in the whole capture.
func scarecrow4() *rules.Rule {
	return &rules.Rule{
		Rule: finding.Rule{ID: "STRAW-001", Title: "A capture ends", Severity: finding.Note, Meaning: "It ended.", Reference: "none"},
		Check: rules.Check{On: []rules.Event{rules.OnPublished(func(e *rules.ConnRef, x *flow.Moment, _ rules.Reporter) {
			*lastSlot.Of(e.CrossConnection) = *x
		})},
			OnCapture: []rules.CaptureEvent{
				rules.OnCaptureFrame(0, func(k *rules.Capture, v *dissect.FrameView) { rules.PublishOfCapture(k, rules.Moment(v)) }),
				rules.OnCaptureEnd(func(e *rules.ConnRef, say rules.Reporter) {
					last := lastSlot.Of(e.CrossConnection)
					if f := say.Moment("", last.Ref, last.Time, nil, ""); f != nil {
						f.Messagef("the last frame is %d", last.Ref.Number)
					}
				}),
			}},
	}
}

// straw runs a command line with the scarecrows in place of the rules.
func straw(args ...string) result {
	var out, err bytes.Buffer
	s := streams{in: bytes.NewReader(nil), out: &out, err: &err}
	status := execute(context.Background(), rootOf(s, scarecrows), args, s)
	return result{out.String(), err.String(), status}
}
