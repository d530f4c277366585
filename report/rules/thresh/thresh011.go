package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func thresh011() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-011", Title: "Small payload moved by RDMA",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "Data of a call or a reply travelled in Read or Write chunks although the whole message, with the data in it, would have " +
			"fitted in one Send.",
		Why: "For a few hundred octets the time goes into registering memory, an RDMA operation and invalidating the memory, not into " +
			"moving the data.",
		Advice: "Let the client send small payloads inline, if it does not need them placed in pages. A larger inline threshold makes more of " +
			"them small.",
		Reference: "RFC 8797, sections 1 and 3.1; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 2.2.1; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 2.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
		},
		Limits: "One finding a connection, when that is over, with how many of the RPCs with chunks it is. What counts for a reply is " +
			"how much the client made room for, not how much came.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithChunks, rpc011), rules.OnEnd(end011)},
		Fires: []rules.Sample{
			{Name: "a WRITE of 100 octets", Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(100) count=100
				    read 0x801 100
				    want THRESH-011
				reply 1
				disconnect`},
			{Name: "data that fit the default of version 2", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(3000)
				    read 0x801 3000
				    want THRESH-011
				reply 2
				disconnect`},
			{Name: "a READ of 512 octets", Scene: `
				connect
				call 1 NFS3 READ count=512
				    write 0x801 512
				    want THRESH-011
				reply 1 data=bytes(512)
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the message would not have fitted", Scene: `
				connect client=1024/1024 server=1024/1024
				call 1 NFS3 WRITE data=bytes(1000) count=1000
				    read 0x801 1000
				reply 1
				disconnect`},
			{Name: "the READ asked for more than there was", Scene: `
				connect
				call 1 NFS3 READ count=65536
				    write 0x801 65536
				reply 1 data=bytes(100)
				disconnect`},
		},
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
}

func end011(c *rules.Conn, say rules.Say) {
	k := ifAny(c)
	if k == nil || k.small == nil || k.small.count == 0 {
		return
	}
	s := k.small
	if f := say.Past("", &s.PastMessage, ""); f != nil {
		f.Call = s.call
		f.Sayf("%d of %d RPCs moved by chunks what would have fitted inline; the first would have been a Send of %d octets, and %d are allowed",
			s.count, s.chunks, s.needed, s.limit)
		f.See("small payloads", s.count, nil).See("RPCs with chunks", s.chunks, nil)
	}
}

func rpc011(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
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
	if !known || c.Opaque(r) {
		return
	}
	s := rules.Some(&of(c).small)
	if s.chunks++; needed > uint64(l.Octets) {
		return
	}
	if s.count++; s.count == 1 {
		s.PastMessage, s.needed, s.limit = rules.Past(m), needed, l.Octets
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
