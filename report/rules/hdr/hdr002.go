package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentOrLikelyIf(rules.LostSince.From(rules.Requester)).In("b")},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{knownVersions()},
		On:          []rules.Event{onOtherVersion(otherVersion002)},
	}
}

// isCall reports whether a message that answers nothing is a call.
func isCall(m *dissect.Message) bool {
	h := &m.Header
	if h.Version == rpcrdma.Version1 {
		return m.Role() == dissect.RoleCall
	}
	return h.Directed() && h.Direction == rpcrdma.DirectionCall
}

func otherVersion002(c *rules.Conn, x *otherVersion, report rules.Reporter) {
	m := (*dissect.Message)(x)
	h, r, asked := &m.Header, m.RPC(), m.Request()
	v := h.Version
	answered := r != nil && r.Reply == m && r.Call != nil
	if !fixed(m) || h.Proc == rpcrdma.RDMAError {
		return
	}
	letter, expected, where := "", versionsOf(c).answered, ""
	switch {
	case v != rpcrdma.Version1 && v != rpcrdma.Version2:
		letter = "a"
	case asked != nil && asked.Version == rpcrdma.Version2 && v != rpcrdma.Version2:
		letter, expected, where = "b", asked.Version, " in the reply to a call of version %d"
	case answered && v != r.Call.Header.Version:
		letter, expected, where = "b", r.Call.Header.Version, " in the reply to a call of version %d"
	case answered || asked != nil:
		versionsOf(c).answered = v
		return
	case versionsOf(c).answered == 0 || v == versionsOf(c).answered || !isCall(m):
		return
	case c.ToServer(m.From):
		letter, where = "c", " in a call on a connection where version %d was agreed on"
	default:
		letter, where = "d", " in a reverse-direction call on a connection where version %d was agreed on"
	}
	doubt := ""
	if letter == "b" && answered {
		if doubt = c.DoubtOf(r.Requester, r.Call.Frame()); doubt != "" && defined(v) && defined(expected) && !c.Accounted(r.Requester, 0) {
			return // the call may have been made once more, in the other version
		}
	}
	f := report.Message(letter, m, doubt)
	if f == nil {
		return
	}
	if letter == "a" {
		f.Messagef("the %s sent a message of version %d, which is not defined", c.Sender(m.From), v)
		f.See("rdma_vers", v, "1 or 2")
	} else {
		f.Messagef("rdma_vers is %d"+where, v, expected)
		f.See("rdma_vers", v, expected)
	}
	f.Word(m, rpcrdma.AtVersion)
}
