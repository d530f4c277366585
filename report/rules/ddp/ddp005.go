package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp005() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithReads, rpc005)},
	}
}

func rpc005(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingOf(c)
	b, d := s.ailing(c, r, misplaced)
	if b == nil {
		return
	}
	position := b.Reduced.Reads[d.chunk].Position
	if int64(position) < int64(b.Start) && r.Call.CallHeader.Cred.Flavor == rpc.RPCSECGSS {
		return // DDP-004b
	}
	f := report.Part(d.letter, r, r.Call, "")
	if f == nil {
		return
	}
	sender := c.Sender(r.Requester)
	switch d.letter {
	case "a":
		f.Messagef("Position %d of a Read chunk from the %s is not a multiple of 4", position, sender)
		f.See("position", position, "a multiple of 4")
	case "b":
		f.Messagef("Position %d of a Read chunk from the %s lies beyond the end of the RPC message", position, sender)
		f.See("position", position, d.right())
	case "d":
		f.Messagef("Position %d of a Read chunk from the %s is an offset in the reduced message: %s begins at %d, and %d bytes before it were reduced",
			position, sender, d.what, d.expected, d.expected-uint64(position))
		f.See("position", position, d.expected)
	default:
		f.Messagef("no DDP-eligible item begins at Position %d of a Read chunk from the %s", position, sender)
		f.See("position", position, d.right())
	}
	markPosition(f, r.Call, position)
}

// right is the Position that would be right, for a person; nil if that is not known.
func (d *bodyMismatch) right() any {
	switch {
	case d.expected == 0:
		return nil
	case d.what == "":
		return "below " + decimal(d.expected)
	}
	return d.expected
}
