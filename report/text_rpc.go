package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// rpcRow appends one RPC: number, time, peers, XID, procedure, how it
// travelled, sizes of call and reply, status, latency.
func (t *Text) rpcRow(r *dissect.RPC) {
	if t.rows == 0 {
		t.heading("    No.        Time  ", "Requester → responder", "XID         Procedure            Travelled                 Call    Reply   Latency  Status")
	}
	t.rows++
	t.number(t.rows)
	t.time(r.Start())
	t.peersOf(r.Connection, r.Requester)
	t.b = appendHandle(t.b, r.XID)
	t.b = append(t.b, "  "...)
	t.b = append(t.b, t.style.name.on...)
	at := len(t.b)
	t.b = appendProcedure(t.b, r)
	t.b = pad(t.b, at, 19, false)
	t.b = append(t.b, t.style.name.off...)
	t.b = append(t.b, "  "...)
	at = len(t.b)
	t.b = appendTravel(t.b, r)
	t.b = pad(t.b, at, 20, false)
	t.size(r.Call)
	t.size(r.Reply)
	at = len(t.b)
	if ns, ok := r.Latency(); ok {
		t.b = appendDuration(t.b, ns)
	} else {
		t.b = append(t.b, '-')
	}
	t.b = pad(t.b, at, 10, true)
	t.b = append(t.b, "  "...)
	t.status(r)
}

// heading prints the columns' names above the first row.
func (t *Text) heading(left, peers, right string) {
	t.peers = max(t.peers, width([]byte(peers)))
	t.b = append(t.b, t.style.dim.on...)
	t.b = append(t.b, left...)
	at := len(t.b)
	t.b = append(t.b, peers...)
	t.b = pad(t.b, at, t.peers, false)
	t.b = append(t.b, "  "...)
	t.b = append(t.b, right...)
	t.b = append(t.b, t.style.dim.off...)
	t.endRow()
}

// size appends the length of an RPC message as the upper layer saw it.
func (t *Text) size(m *dissect.Message) {
	t.b = append(t.b, ' ')
	at := len(t.b)
	switch {
	case m == nil || m.RPCLength == 0:
		t.b = append(t.b, '-')
	default:
		t.b = strconv.AppendUint(t.b, m.RPCLength, 10)
	}
	t.b = pad(t.b, at, 8, true)
}

// status appends how it ended, and what is missing.
func (t *Text) status(r *dissect.RPC) {
	good := t.style.bad
	at := len(t.b)
	t.b = appendStatus(t.b, r)
	if string(t.b[at:]) == "SUCCESS" {
		good = t.style.good
	}
	if good.on != "" {
		text := string(t.b[at:])
		t.b = good.append(t.b[:at], text)
	}
	if !r.Complete {
		t.b = append(t.b, "  "...)
		t.b = t.style.odd.append(t.b, "incomplete: "+r.Missing)
	}
}

// appendProcedure appends the program, version and procedure ("NFS3 READ").
func appendProcedure(b []byte, r *dissect.RPC) []byte {
	if c := r.CallHeader(); c != nil {
		return appendCallName(b, c, r.Reverse())
	}
	if r.Reply != nil && r.Reply.Header.Proc == rpcrdma.RDMAError {
		return append(b, "RDMA_ERROR"...)
	}
	return append(b, '?')
}

func appendCallName(b []byte, c *rpc.Call, reverse bool) []byte {
	if reverse && rpc.ProgramName(c.Program) == "" {
		return rpc.AppendCallbackLabel(b, c.Procedure)
	}
	return rpc.AppendLabel(b, c.Program, c.Version, c.Procedure)
}

// appendTravel appends how the two messages travelled.
func appendTravel(b []byte, r *dissect.RPC) []byte {
	at := len(b)
	if m := r.Call; m != nil {
		if m.Transfer == dissect.Long {
			b = append(b, "long call"...)
		}
		b = appendChunks(b, at, readChunks(&m.Header), "read chunk")
	}
	if m := r.Reply; m != nil {
		if m.Transfer == dissect.Long {
			b = appendPlus(b, at)
			b = append(b, "long reply"...)
		}
		b = appendChunks(b, at, writeChunks(&m.Header), "write chunk")
	}
	if len(b) == at {
		b = append(b, "inline"...)
	}
	return b
}

func appendPlus(b []byte, at int) []byte {
	if len(b) > at {
		b = append(b, " + "...)
	}
	return b
}

func appendChunks(b []byte, at, n int, name string) []byte {
	if n == 0 {
		return b
	}
	b = appendPlus(b, at)
	if n > 1 {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	b = append(b, name...)
	if n > 1 {
		b = append(b, 's')
	}
	return b
}

// readChunks counts the Read chunks that carry an item: all but that of
// Position 0.
func readChunks(h *rpcrdma.Header) (n int) {
	n = h.NumReadChunks()
	if _, long := h.PositionZero(); long {
		n--
	}
	return n
}

// writeChunks counts the Write chunks that were used.
func writeChunks(h *rpcrdma.Header) (n int) {
	for _, c := range h.Writes {
		if h.ChunkLength(c) > 0 {
			n++
		}
	}
	return n
}

// appendStatus appends the accept or reject status, or what stands for it.
func appendStatus(b []byte, r *dissect.RPC) []byte {
	if r.Reply == nil {
		return append(b, "no reply"...)
	}
	h := &r.Reply.Header
	if h.Proc == rpcrdma.RDMAError {
		b = append(b, h.Error.String()...)
		if h.Error == rpcrdma.ErrVers {
			b = append(b, " (versions "...)
			b = strconv.AppendUint(b, uint64(h.VersLow), 10)
			b = append(b, " to "...)
			b = strconv.AppendUint(b, uint64(h.VersHigh), 10)
			b = append(b, ')')
		}
		return b
	}
	s := r.ReplyHeader()
	if s == nil {
		return append(b, "unknown"...)
	}
	b = append(b, s.Status()...)
	if s.Denied && s.Reject == rpc.AuthError {
		b = append(b, ": "...)
		b = append(b, s.Auth.String()...)
	}
	return b
}
