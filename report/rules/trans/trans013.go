package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans013() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-013", Title: "DDP, RDMAP or TCP sequence trouble",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A DDP segment is malformed or does not follow the one before it, or TCP below shows trouble: segments that are sent again, a " +
			"receiver whose window is closed, a reset.",
		Why: "A receiver refuses a segment that is not the next of its queue and ends the connection. What TCP has to send again is late " +
			"by a round trip or by a time-out.",
		Advice: "For a segment that is wrong, look at the adapter that sent it. For TCP, look for what was lost and where; a closed window " +
			"means that the receiver does not keep up.",
		Reference: "RFC 5040, sections 4.1 to 4.4; RFC 5041, sections 4 and 5.2; RFC 8166, section 4.5.5; RFC 9293, sections 3.8 and 3.10.7",
		Gates: rules.Gates{
			rules.SilentIf(rules.LostSince).In("a").Since("the segment began"),
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy).Of("a response that nobody asked for"),
			rules.LikelyIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered).In("b"),
		},
		Limits: "Where tagged segments go is for the DDP rules to judge, and an order of TCP segments that only the capture may have " +
			"changed is not told. What is in doubt in case b is a reset, which behind a Terminate, or of a connection that was " +
			"closed, is not told.",
		Causes: []string{"TRANS-010", "TRANS-011a", "TRANS-011b", "TRANS-011c", "TRANS-011d"},
		Cases: []rules.Case{
			{Letter: "a", Title: "a DDP segment is wrong or out of sequence", Severity: rules.Error},
			{Letter: "b", Title: "TCP", Severity: rules.Warning},
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onOdd(odd013), rules.OnFrame(rules.ReadingUnits|rules.Awaited, frame013)},
		Fires: []rules.Sample{
			{Name: "an MSN is left out", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				fpdu client untagged opcode=3 qn=0 msn=+1 payload=bytes(64)
				    want TRANS-013a frame
				disconnect`},
			{Name: "a Send goes on at another offset", Over: rules.IWARP, Scene: `
				connect client=none server=none
				fpdu client untagged opcode=3 qn=0 payload=bytes(64) more
				fpdu client untagged opcode=3 qn=0 mo=100 payload=bytes(64)
				    want TRANS-013a frame
				disconnect`},
			{Name: "queue 2 for a Send", Over: rules.IWARP, Scene: `
				connect
				    mpa crc
				call 1 NFS3 NULL
				reply 1
				fpdu client untagged opcode=3 qn=2 payload=bytes(64)
				    want TRANS-013a frame
				disconnect`},
			{Name: "a response to an RDMA Read that nobody asked for", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				fpdu client tagged opcode=2 stag=0x9999 to=0 payload=bytes(64)
				    want TRANS-013a frame
				disconnect`},
			{Name: "a segment is sent again", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				wait 300ms
				resend 1
				    want TRANS-013b frame
				reply 1
				disconnect`},
			{Name: "the server's window is closed", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				    edit frame 2 48 hex(0000)
				    want TRANS-013b frame 2
				reply 1
				disconnect`},
			{Name: "a segment is sent again, and then the server resets the stream", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				    noack
				wait 300ms
				resend 1
				    want TRANS-013b frame
				wait 1ms
				reset server
				    want TRANS-013b frame`},
			{Name: "the server resets the stream", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reset server
				    want TRANS-013b frame`},
		},
		Silent: []rules.Sample{
			{Name: "an RDMA Read and its response", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(3000)
				    read 0x1001 3000
				reply 1
				disconnect`},
			{Name: "the capture lacks a Send", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    drop frame 1
				reply 2
				repeat 40
				call $+2 NFS3 NULL
				reply $+2
				end
				disconnect`},
			{Name: "the connection is closed and then reset", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				disconnect
				reset client`},
		},
	}
}

// segments are the RDMA Reads of a connection.
type segments struct {
	sinks [2]*sinks  // by the end that asked
	held  [2]unnamed // by the end that answered
}

// What case b has, and case a, told apart: one must not hide the other.
type trouble uint8

const (
	sentAgain trouble = iota
	wasReset
	windowClosed
	malformed
	outOfSequence
	notAsked
)

// odd013 looks at a frame that is not just the next one.
func odd013(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if !c.IWARP() {
		return
	}
	switch v.Verdict.Note {
	case flow.Retransmission, flow.LostOnWire:
		resent(c, v, say)
	}
	switch {
	case v.Link.TCP.Flags.Has(link.RST):
		reset(c, v, say)
	case v.Link.TCP.Window == 0 && !v.Link.TCP.Flags.Has(link.SYN):
		if f := say.Key(windowClosed).Frame("b", v, ""); f != nil {
			f.Sayf("the window of the %s is closed: it takes no more octets for now", c.Sender(v.Verdict.From)).See("Window", 0, nil)
		}
	}
	if !v.Verdict.Faulty {
		return
	}
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; !u.IsStart && !u.FPDU.Lost {
			ddp(c, v, u, say)
		}
	}
}

// resent tells of a segment that was sent again.
func resent(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	f := say.Key(sentAgain).Frame("b", v, "")
	if f == nil {
		return
	}
	what := ""
	if v.Verdict.Note == flow.LostOnWire {
		what = ", which was lost before it came to where the capture was taken"
	}
	f.Sayf("the %s sends %d octets from sequence number %d on again%s", c.Sender(v.Verdict.From), v.Link.End()-v.Link.TCPData(), v.Link.TCP.Seq, what)
	f.See("sequence number", v.Link.TCP.Seq, nil)
}

// reset tells of an RST that ended the connection.
func reset(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if c.Closing != flow.Reset {
		return // it was over
	}
	if f := say.Key(wasReset).Frame("b", v, mayBeOver(c)); f != nil {
		f.Sayf("the %s resets the connection", c.Sender(v.Verdict.From))
		if n := c.Outstanding(c.ClientEnd); n > 0 {
			f.See("calls without a reply", n, 0)
		}
	}
}

// mayBeOver is the doubt that a Terminate or the end of the connection came before,
// and could not be read or is missing.
func mayBeOver(c *rules.Conn) string {
	switch {
	case c.OneDirection():
		return rules.DoubtOneWay
	case c.BeganLate():
		return rules.DoubtLate
	case c.Disordered():
		return rules.DoubtOrder
	case c.Lossy() || c.Gap():
		return rules.DoubtLoss
	}
	return ""
}

// ddp looks at a DDP segment of a frame that has a malformed one.
func ddp(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, say rules.Say) {
	bad := u.PDU.Fault.Bad() && u.FPDU.Cut == iwarp.Whole
	if !bad && u.Fault == "" || lost(c, v, u.First) {
		return
	}
	kind := outOfSequence
	if bad {
		kind = malformed
	}
	f := say.Key(kind).Frame("a", v, "")
	if f == nil {
		return
	}
	f.With(u.First)
	if !bad {
		f.Sayf("a DDP segment of the %s is out of sequence: %s", c.Sender(v.Verdict.From), u.Fault)
		f.See("MSN", u.PDU.MSN, nil).See("MO", u.PDU.MO, nil)
		f.At(placeIn(v, u, 10, 8))
		return
	}
	f.Sayf("a DDP segment of the %s is malformed: %s", c.Sender(v.Verdict.From), u.PDU.Fault)
	f.See("octet", u.PDU.Fault.Offset, nil).At(placeIn(v, u, u.PDU.Fault.Offset, 1))
}
