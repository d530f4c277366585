package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

func thresh011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.LostAround.From(rules.Receiver), rules.AnyCut).Of("messages of version 2"),
			rules.LikelyIf(rules.BeganLate, rules.Lossy.From(rules.Receiver)).Of("messages of version 2"),
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc011), rules.OnEnd(end011)},
	}
}

// small are the RPCs of a connection whose payload was small.
type small struct {
	chunks, count int // RPCs with chunks, and those of them that are small
	// The first of them.
	rules.PastMessage
	call   string
	needed uint64
	limit  int
	doubt  string // of the limit
}

func end011(c *rules.Conn, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.small == nil || k.small.count == 0 {
		return
	}
	s := k.small
	if f := report.Past("", &s.PastMessage, s.doubt); f != nil {
		f.Call = s.call
		f.Messagef("%d of %s with chunks moved data that would have fitted inline; the first would have been a Send of %d bytes, where %d are allowed",
			s.count, field.Counted(s.chunks, "RPC"), s.needed, s.limit)
		f.See("small payloads", s.count, nil).See("RPCs with chunks", s.chunks, nil)
	}
}

func rpc011(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	m, answer := r.Call, r.Reply
	if m == nil || !readable(c, m) {
		return
	}
	var needed uint64
	from := r.Requester
	switch {
	case m.Transfer == dissect.Chunked:
		needed = m.RPCLength + uint64(m.Header.Length-nonzero(&m.Header)*rpcrdma.ReadSize)
	case answer != nil && answer.Transfer == dissect.Chunked && readable(c, answer):
		needed = uint64(answer.Length-answer.Header.Length) + uint64(m.Header.LeastSize())
		for _, x := range m.Header.Writes {
			needed += xdr.Padded(m.Header.ChunkLength(x))
		}
		from = from.Peer()
	default:
		return
	}
	l, known := setup.ReceivedOf(c).LimitAt(m.Header.Version, from, m.Frame(), m.Last)
	if l, known = atLeast(c, m.Header.Version, l, known); !known || c.Opaque(r) {
		return
	}
	s := rules.Some(&state.Of(c).small)
	if s.chunks++; needed > uint64(l.Bytes) {
		return
	}
	if s.count++; s.count == 1 {
		s.PastMessage, s.needed, s.limit, s.doubt = rules.Past(m), needed, l.Bytes, l.Doubt
		s.call = string(r.AppendName(nil, r.Ops(nil)))
	}
}

// nonzero is how many Read segments have a Position other than zero.
func nonzero(h *rpcrdma.Header) (n int) {
	for i := range h.Reads {
		if h.Reads[i].Position != 0 {
			n++
		}
	}
	return n
}
