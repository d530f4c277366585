package trans

import (
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func trans012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.DetailIf(rules.LostSince, rules.Disordered)},
		Needs:       []rules.Knowledge{wires()},
		On:          []rules.Event{onTerminated(terminated012)},
	}
}

func terminated012(c *rules.Conn, e *ending, report rules.Reporter) {
	f := e.findingOf(report, "")
	if f == nil {
		return
	}
	what := ""
	switch {
	case e.uses:
		_, g, clause := e.use.check(c, memory.Of(c))
		if clause != "" {
			what = ". It refuses an operation on memory " + clause
		}
		e.use.show(f, g)
	case e.send != nil:
		what = ". It refuses the Send of frame " + number(e.send.Frame.Number)
	}
	peer := c.Sender(e.from.Peer())
	intact := e.OfCRC() && wireOf(c).streams.intact(c, e.from.Peer())
	if intact {
		what += ". All FPDUs of the " + peer + " before it are in the capture, and their CRCs are correct: either they were damaged beyond the capture point, or the " +
			c.Sender(e.from) + " checks wrongly"
	}
	f.Messagef("the %s ended the connection with a Terminate: %v%s", c.Sender(e.from), e.Termination, what)
	e.show(f)
	if intact {
		f.See("wrong CRCs in the capture", 0, nil)
		f.Advise("What the %s sent was intact where it was captured. Capture at the %s too: if the CRCs are correct there as well, its adapter or driver "+
			"checks wrongly; if not, something beyond the capture point changes data and recomputes the TCP checksum, or does not check it.", peer, c.Sender(e.from))
	} else if advice := e.advice(); advice != "" {
		f.Advise("%s", advice)
	}
}

// advice is what to do about an error by its code, "" where the rule's advice says
// all.
func (e *ending) advice() string {
	switch code := e.Code(); {
	case code == iwarp.NoBuffer:
		return "No receive was posted for a Send. Look at the credits: the sender used more than it had (CREDIT-001, CREDIT-006), or the " +
			"receiver posted fewer receives than it granted (CREDIT-008)."
	case code == iwarp.TooLong:
		return "A Send was longer than the receive that was posted for it. Look at the inline thresholds that the ends use " +
			"(THRESH-001, THRESH-002, THRESH-010)."
	case e.Layer <= 1 && e.EType == 1:
		return "An operation named memory that its handle does not allow. Compare handle and range with what the calls advertised (DDP-014, " +
			"DDP-015, DDP-016)."
	case e.Layer == 0 && e.EType == 2:
		return "The receiver cannot carry out the message. Look at its opcode, and at whether the adapter supports Send With Invalidate (INV-004)."
	case e.Layer == 2:
		return "The receiver found the stream damaged or out of sync. Look at the FPDUs before it (TRANS-011) and at what TCP carried " +
			"(TRANS-013)."
	}
	return ""
}
