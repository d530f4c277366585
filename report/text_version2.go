package report

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// appendOption appends what an RDMA2_OPTIONAL says: "INIT_XCHAR: XCHAR_RBSIZ 8192
// octets, XCHAR_RQREMINV TRUE (will not change)", "RESP_XCHAR, done XCHAR_RBSIZ".
func appendOption(b []byte, m *dissect.Message) []byte {
	o := m.Header.Option()
	b = append(b, o.Type.String()...)
	separator := ": "
	for i, x := range o.Characteristics {
		b = append(b, separator...)
		separator = ", "
		b = append(b, x.ID.String()...)
		b = append(b, ' ')
		b = o.AppendValue(b, x)
		if o.Has(o.NoChange, i) {
			b = append(b, " (will not change)"...)
		}
	}
	switch o.Type {
	case rpcrdma.RespXchar:
		asked := m.Optional()
		b = appendSubset(b, ", done", o, o.Done, asked)
		b = appendSubset(b, ", rejected", o, o.Rejected, asked)
		b = appendSubset(b, ", pending", o, o.Pending, asked)
	case rpcrdma.UpdXchar:
		if o.PendingClear {
			b = append(b, ", no longer pending"...)
		}
	case rpcrdma.InitXchar, rpcrdma.ReqXchar:
	default:
		b = append(b, separator...)
		b = appendCount(b, int64(len(o.Info)), "octet")
	}
	if o.Known() && o.Left > 0 {
		b = append(b, ", "...)
		b = appendCount(b, int64(o.Left), "octet")
		b = append(b, " more"...)
	}
	return b
}

// maxListed is how many elements of a subset a row has room for.
const maxListed = 8

// appendSubset appends the elements of a subset of a RESP_XCHAR, by the names that
// they have in the REQ_XCHAR if that is known, else by number.
func appendSubset(b []byte, word string, o *rpcrdma.Option, s rpcrdma.Subset, asked *dissect.Optional) []byte {
	listed := 0
	o.Elements(s, func(n int) bool {
		switch listed++; {
		case listed == 1:
			b = append(b, word...)
		case listed > maxListed:
			b = append(b, " …"...)
			return false
		}
		b = append(b, ' ')
		if asked != nil && n < len(asked.Characteristics) {
			b = append(b, asked.Characteristics[n].ID.String()...)
		} else {
			b = append(b, '#')
			b = strconv.AppendInt(b, int64(n), 10)
		}
		return true
	})
	return b
}

// appendShortage appends what an RDMA2_ERR_CANT_REPLY lacks.
func appendShortage(b []byte, h *rpcrdma.Header) []byte {
	b = append(b, " ("...)
	if h.SegmentIndex == 0 {
		b = append(b, "some segment"...)
	} else {
		b = append(b, "segment "...)
		b = strconv.AppendUint(b, uint64(h.SegmentIndex), 10)
	}
	b = append(b, " needs "...)
	b = appendCount(b, int64(h.LengthNeeded), "octet")
	if h.Processed {
		b = append(b, ", the request was processed"...)
	}
	return append(b, ')')
}

// version2 prints how a connection on which another version than 1 was tried came to
// its version, and what its ends announced last.
func (t *Text) version2(c *dissect.Connection) {
	n, ok := c.Negotiation()
	if !ok {
		return
	}
	t.more()
	t.b = append(t.b, "RPC-over-RDMA version "...)
	t.b = strconv.AppendUint(t.b, uint64(n.Tried), 10)
	t.b = append(t.b, " tried"...)
	if n.Refused {
		t.b = append(t.b, ", refused"...)
		t.b = appendVersions(t.b, n.Low, n.High)
	}
	if n.Agreed != 0 {
		t.b = append(t.b, ", version "...)
		t.b = strconv.AppendUint(t.b, uint64(n.Agreed), 10)
		t.b = append(t.b, " agreed"...)
	}
	if th, known := c.Thresholds(); known {
		t.b = append(t.b, "; inline threshold "...)
		t.b = strconv.AppendInt(t.b, int64(th.ToServer), 10)
		t.b = append(t.b, " octets to server, "...)
		t.b = strconv.AppendInt(t.b, int64(th.ToClient), 10)
		t.b = append(t.b, " to client ("...)
		t.b = append(t.b, th.Source.String()...)
		t.b = append(t.b, ')')
	}
	t.endRow()
	t.announced("client", c.Characteristics(c.ClientEnd))
	t.announced("server", c.Characteristics(c.ClientEnd.Peer()))
}

// announced prints the characteristics that an end announced, as they are in force.
func (t *Text) announced(who string, line *dissect.Timeline) {
	if len(line.Changes()) == 0 {
		return
	}
	t.more()
	t.b = append(t.b, who...)
	t.b = append(t.b, " announced"...)
	separator := " "
	for id := rpcrdma.XcharRBSIZ; id <= rpcrdma.XcharBRS; id++ {
		c, ok := line.Now(id)
		if !ok {
			continue
		}
		t.b = append(t.b, separator...)
		separator = ", "
		t.b = append(t.b, id.Name()...)
		t.b = append(t.b, ' ')
		if c.Known {
			t.b = rpcrdma.AppendXcharValue(t.b, id, c.Value)
		} else {
			t.b = append(t.b, "unknown"...)
		}
		t.b = append(t.b, " (frame "...)
		t.b = append(t.b, c.Frame.Name(t.opts.Files > 1)...)
		t.b = append(t.b, ')')
	}
	t.endRow()
}
