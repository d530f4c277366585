package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb001() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Unpaired, rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc001)},
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	s := readingsOf(c)
	list := s.listOf(c, r)
	if len(list) == 0 {
		taken001(c, r, report)
	}
	for i := range list {
		x := &list[i]
		if x.item == nil || x.item.Chunk < 0 {
			continue
		}
		k := int(x.item.Chunk)
		if k > x.order && r.Call.Header.WriteLength(x.order) > 0 {
			if f := report.RPC("", r, ""); f != nil {
				f.Messagef("the data of %s belongs in %s, but is in %s", x.name, rpcrdma.WriteChunkName(x.order), rpcrdma.WriteChunkName(k))
				f.See("Write chunk", k+1, x.order+1).See("length of the data", x.data(), nil)
				f.WriteChunk(r.Reply, k)
			}
			return
		}
		if j := s.swapped(i, r); j >= 0 {
			if f := report.RPC("", r, ""); f != nil {
				y := &s.list[j]
				f.Messagef("%s has the length of the data of %s %d, and %s that of %s %d",
					rpcrdma.WriteChunkName(k), y.name, j+1, rpcrdma.WriteChunkName(int(y.item.Chunk)), x.name, i+1)
				h := &r.Reply.Header
				f.See("length of "+rpcrdma.WriteChunkName(k), h.WriteLength(k), x.data())
				f.See("length of "+rpcrdma.WriteChunkName(int(y.item.Chunk)), h.WriteLength(int(y.item.Chunk)), y.data())
				f.WriteChunk(r.Reply, k)
				f.WriteChunk(r.Reply, int(y.item.Chunk))
			}
			return
		}
	}
}

// taken001 looks for a Write chunk that has the data of the READ after its own, whose data are
// inline.
func taken001(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	b := unreadableResult(c, r)
	if b == nil {
		return
	}
	k, ok := all(c).trial.taken(b)
	if !ok {
		return
	}
	if f := report.RPC("", r, ""); f != nil {
		f.Messagef("%s has the %d bytes of the next READ-class operation, while the data of its own operation is inline", rpcrdma.WriteChunkName(k), b.Reduced.Writes[k])
		f.See("length of "+rpcrdma.WriteChunkName(k), b.Reduced.Writes[k], nil)
		f.WriteChunk(r.Reply, k)
	}
}

// swapped is the index of a later reading with whose chunk that of the i-th was
// exchanged: each has the length of the other's data. It is -1 if there is none.
func (s *readings) swapped(i int, r *dissect.RPC) int {
	x, h := &s.list[i], &r.Reply.Header
	mine := h.WriteLength(int(x.item.Chunk))
	if fits(x.data(), mine) {
		return -1
	}
	for j := i + 1; j < len(s.list); j++ {
		y := &s.list[j]
		if y.item == nil || y.item.Chunk < 0 {
			continue
		}
		if theirs := h.WriteLength(int(y.item.Chunk)); fits(x.data(), theirs) && fits(y.data(), mine) {
			return j
		}
	}
	return -1
}

// fits reports whether a returned length is that of data, or that with its pad.
func fits(data, length uint64) bool { return length == data || length == xdr.Padded(data) }
