package sec

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func sec003() *rules.Rule {
	return &rules.Rule{
		ID: "SEC-003", Title: "Handle used across connections",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An RDMA operation names a handle that no call of its connection advertised, but one of another connection of the " +
			"same requester did.",
		Why: "The server mixes up its connections, or tries to reach memory that was opened to somebody else. Where the client " +
			"keeps connections in protection domains of their own the operation fails; where it does not, memory is " +
			"overwritten.",
		Advice: "Look at how the server ties chunks to connections, above all after a reconnect. The client should give " +
			"each connection a protection domain of its own.",
		Reference: "RFC 8166, section 8.1.1; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 9",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy),
			rules.SilentOrLikelyIf(rules.Unheard.From(rules.Client)),
			rules.DetailIf(rules.LostSince, rules.Disordered),
		},
		Limits: "What is missing may have held the advertisement. Where no message of the client follows it is likely only if the " +
			"access was refused. Of connections that are over the last sixteen are remembered.",
		Causes: []string{"RPC-004c"},
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On: []rules.Event{
			rules.OnMessage(rules.WithChunks, message003), memory.OnOffence(memory.Never, offence003), rules.OnOver(over003),
			rules.OnPosted(neighbour003), rules.OnPosted(trespass003),
		},
		Fires: []rules.Sample{
			{Name: "the server answers on the wrong connection", Scene: `
				connect A
				call 1 NFS3 NULL
				reply 1
				connect B
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				on A
				rdma write server 0x1001 100@0x7000
				    want SEC-003
				    want DDP-015
				call 3 NFS3 NULL
				reply 3
				disconnect
				on B
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "both connections advertise the same handle", Scene: `
				connect A
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				connect B
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				on A
				reply 1 data=bytes(100)
				on B
				reply 2 data=bytes(100)
				disconnect`},
			{Name: "both advertise the same handle, and half of the set-up is missing from the capture", Scene: `
				connect A
				    drop frame 2
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				connect B
				    drop frame 2
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				on A
				reply 1 data=bytes(100)
				on B
				reply 2 data=bytes(100)
				disconnect`},
			{Name: "the capture ends before the advertisement shows to be missing", Scene: `
				connect B
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				connect A
				call 1 NFS3 NULL
				reply 1
				call 3 NFS3 READ count=100
				    write 0x1001 100@0x7000
				    drop
				rdma write server 0x1001 100@0x7000`},
			{Name: "the advertisement may be missing from the capture", Scene: `
				connect B
				call 2 NFS3 READ count=100
				    write 0x1001 100@0x7000
				connect A
				call 1 NFS3 NULL
				reply 1
				call 3 NFS3 READ count=100
				    write 0x1001 100@0x7000
				    drop
				call 4 NFS3 NULL
				rdma write server 0x1001 100@0x7000
				reply 4`},
		},
	}
}

// mostOver is how many connections that are over are remembered.
const mostOver = 16

// neighbours are the connections of the capture that advertised memory.
type neighbours struct {
	open map[*rules.Entry]neighbour
	over rules.Ring[neighbour]
}

// A neighbour is one of them. Its book changes until it is over.
type neighbour struct {
	id   int // in Across
	ends [2]link.Addr
	book *memory.Ledger
}

func neighbourOf(c *rules.Conn) neighbour {
	return neighbour{ends: [2]link.Addr{c.Ends[0].Addr, c.Ends[1].Addr}, book: memory.Of(c)}
}

// message003 has the other connections know of one that advertises memory.
func message003(c *rules.Conn, _ *dissect.Message, _ rules.Say) {
	if k := of(c); !k.known {
		k.known = true
		rules.Post(c, neighbourOf(c))
	}
}

func neighbour003(e *rules.Entry, x *neighbour, _ rules.Say) {
	n := &across(e).neighbours
	if n.open == nil {
		n.open = make(map[*rules.Entry]neighbour)
	}
	x.id = e.ID()
	n.open[e] = *x
}

// A trespass is an operation on memory that nobody advertised on its connection.
type trespass struct {
	memory.Offence
	sender string
	victim link.Addr
	now    int64 // the newest time of the capture
}

func offence003(c *rules.Conn, o *memory.Offence, _ rules.Say) {
	if !c.BeganLate() && !c.Lossy() {
		rules.Post(c, trespass{*o, c.Sender(o.From), c.Ends[o.From.Peer()].Addr, c.Capture.Now})
	}
}

func trespass003(e *rules.Entry, x *trespass, say rules.Say) {
	n := &across(e).neighbours
	other, g := n.find(e, x)
	if g == nil {
		return
	}
	if f := x.Say(say, ""); f != nil {
		f.Sayf("the %s issued an %s on handle %s, which was never advertised here but on connection %d, by the call with XID %s",
			x.sender, x.Kind, rules.Handle(x.Handle), other, rules.Handle(g.XID))
		f.See("handle", rules.Handle(x.Handle), "one that this connection advertised").See("advertised on connection", other, e.ID()).With(g.Call)
	}
}

func over003(e *rules.Entry, c *rules.Conn, _ rules.Say) {
	n := &across(e).neighbours
	delete(n.open, e)
	x := neighbourOf(c)
	if x.book.Grants() == 0 {
		return
	}
	x.id = e.ID()
	*n.over.Add(mostOver) = x
}

// find looks for another connection of the same host that advertised memory: of those that
// are open the first, else the one that was over last. The open ones are paused: what they
// advertised later does not count.
func (n *neighbours) find(e *rules.Entry, x *trespass) (id int, found *memory.Grant) {
	e.Across.Pause(func() {
		for o, other := range n.open {
			if o == e || found != nil && other.id > id {
				continue
			}
			if g := other.match(x); g != nil {
				one := *g
				id, found = other.id, &one
			}
		}
	})
	if found != nil {
		return id, found
	}
	for other := range n.over.Backward() {
		if g := other.match(x); g != nil {
			return other.id, g
		}
	}
	return 0, nil
}

// match is the newest segment that the connection advertised and that has what an operation
// touches, nil if there is none.
func (n *neighbour) match(x *trespass) *memory.Grant {
	for g := n.book.Newest(x.Handle); g != nil; g = g.Older() {
		if g.Since <= x.now && n.ends[g.Owner] == x.victim && g.Has(x.Offset, uint64(x.Length)) {
			return g
		}
	}
	return nil
}
