package trans

import (
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func trans012() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-012", Title: "RDMAP Terminate",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An adapter found an error in what it received, or in itself, and ended the iWARP connection with a Terminate message " +
			"that says which.",
		Why: "All calls that are open on the connection must be sent again on a new one. If what was refused comes again, so does " +
			"the end.",
		Advice:    "Look at the error that the Terminate names, and at the message that it refuses: the finding has both as far as they are told.",
		Reference: "RFC 5040, sections 4.8 and 7; RFC 5041, section 7; RFC 5044, section 8; RFC 6581, section 8",
		Limits: "Only the first Terminate of a connection is told. What it refuses is known only if it repeats the header. Linux siw lays " +
			"its control field out in the order of a little-endian compiler; where that cannot be told, the words of the finding give " +
			"both readings.",
		Causes: []string{"TRANS-004", "TRANS-005", "CREDIT-001", "CREDIT-006", "CREDIT-008", "THRESH-010", "XCHAR-009d", "CM-004b", "INV-004", "TRANS-008",
			"TRANS-011a", "TRANS-011b", "TRANS-011c", "TRANS-011d", "TRANS-013"},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onTerminated(terminated012)},
		Fires: []rules.Sample{
			{Name: "the server has no buffer", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				terminate server 1/2/2
				    want TRANS-012
				reset server`},
			{Name: "the client's memory", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x1001 200
				    want DDP-014
				terminate client 1/1/1
				    want TRANS-012
				    want TRANS-004
				reset client`},
			{Name: "a CRC is wrong", Over: rules.IWARP, Scene: `
				connect
				    mpa crc
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				terminate server 2/0/2
				    want TRANS-012
				reset server`},
		},
		Silent: []rules.Sample{
			{Name: "the client closes the connection", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "a reset without a word", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				reset server
				    want TRANS-013b`},
		},
	}
}

func terminated012(c *rules.Conn, e *ending, say rules.Say) {
	f := e.find(say, "")
	if f == nil {
		return
	}
	what := ""
	switch {
	case e.uses:
		_, g, clause := e.use.judge(c, memory.Of(c))
		if clause != "" {
			what = ". It refuses an operation on memory " + clause
		}
		e.use.show(f, g)
	case e.send != nil:
		what = ". It refuses the Send of frame " + number(e.send.Frame.Number)
	}
	f.Sayf("the %s ended the connection with a Terminate: %v%s", c.Sender(e.from), e.Termination, what)
	e.show(f)
	if advice := e.advice(); advice != "" {
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
		return "A Send was longer than the receive that was posted for it. Look at the inline thresholds that the ends believe in " +
			"(THRESH-001, THRESH-002, THRESH-010)."
	case e.Layer <= 1 && e.EType == 1:
		return "An operation named memory that its handle does not allow. Compare handle and range with what the calls advertised (DDP-014, " +
			"DDP-015, DDP-016)."
	case e.Layer == 0 && e.EType == 2:
		return "The receiver cannot carry out the message. Look at its opcode, and at whether the adapter knows Send With Invalidate (INV-004)."
	case e.Layer == 2:
		return "The receiver found the stream damaged or out of step. Look at the FPDUs before it (TRANS-011) and at what TCP carried " +
			"(TRANS-013)."
	}
	return ""
}
