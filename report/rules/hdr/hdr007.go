package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr007() rules.Check {
	return rules.Check{
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithReads, message007)},
	}
}

func message007(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	h := &m.Header
	if len(h.Reads) == 0 || h.Proc != rpcrdma.RDMAMsg || m.Role() != dissect.RoleCall || h.Fault.Bad() {
		return
	}
	length, ok := h.PositionZero()
	if !ok {
		return
	}
	f := report.Message("", m, "")
	if f == nil {
		return
	}
	inline := m.Length - h.Length
	f.Messagef("an %s call has %d bytes inline and a Position-Zero Read chunk of %d bytes", h.ProcName(), inline, length)
	f.See("bytes after the header", inline, 0).See("position", 0, "above 0 in an "+h.ProcName())
	for i := range h.Reads {
		if h.Reads[i].Position == 0 {
			f.Word(m, h.PositionAt(i))
			break
		}
	}
}
