package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.WithRPCSECGSS, rpc004)},
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Call
	if m == nil || !m.HasRPC || m.CallHeader.Cred.Flavor != rpc.RPCSECGSS || !c.Sound(m) {
		return
	}
	h := &m.Header
	read := firstReduced(h)
	write, room := firstRoomy(h)
	if read < 0 && write < 0 {
		return
	}
	letter := gssCase(&m.CallHeader, h, read)
	if letter == "" {
		return
	}
	as := report
	if read < 0 && letter == "a" && unused(c, r.Reply) {
		as = report.As(finding.Warning)
	}
	f := as.Part(letter, r, m, "")
	if f == nil {
		return
	}
	cred := &m.CallHeader.Cred.GSS
	f.See("gss_proc", cred.Proc.String(), nil).See("service", cred.Service.String(), nil)
	if read >= 0 {
		e := &h.Reads[read]
		f.Messagef("the %s reduced %d bytes at Position %d of a call under RPCSEC_GSS", c.Sender(m.From), h.ReadLength(e.Position), e.Position)
		f.See("position", e.Position, 0)
		markPosition(f, m, e.Position)
		return
	}
	f.Messagef("the %s offered a Write chunk of %d bytes in a call under RPCSEC_GSS", c.Sender(m.From), room)
	f.See("bytes offered", room, 0)
	markWrite(f, m, write)
}

// gssCase is the letter of what a call under RPCSEC_GSS did by reducing, "" if it
// may.
func gssCase(call *rpc.Call, h *rpcrdma.Header, read int) string {
	// The body of the credential begins after its flavor and length; without it
	// the header cannot be decoded.
	const credential = 32
	switch {
	case read >= 0 && h.Reads[read].Position == credential:
		return "b"
	case call.Fault.Bad():
		return ""
	case call.Control() || read >= 0 && int64(h.Reads[read].Position) < int64(call.Length):
		return "b"
	case call.Protected():
		return "a"
	}
	return ""
}

// firstReduced is the index in the Read list of the first segment of a chunk that
// is not the Position-Zero one, -1 if there is none.
func firstReduced(h *rpcrdma.Header) int {
	for i := range h.Reads {
		if h.Reads[i].Position != 0 {
			return i
		}
	}
	return -1
}

// firstRoomy is the first Write chunk with room for anything, -1 if there is none,
// and the bytes that it has.
func firstRoomy(h *rpcrdma.Header) (chunk int, room uint64) {
	for i, w := range h.Writes {
		if room = h.ChunkLength(w); room > 0 {
			return i, room
		}
	}
	return -1, 0
}

// unused reports whether a reply returned all Write chunks without a length.
func unused(c *rules.Conn, m *dissect.Message) bool {
	if !c.Sound(m) || m.Header.Proc == rpcrdma.RDMAError {
		return false
	}
	i, _ := firstRoomy(&m.Header)
	return i < 0
}
