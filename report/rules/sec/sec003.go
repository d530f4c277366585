package sec

import (
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
			rules.OnMessage(rules.WithChunks, message003), memory.OnOffence(memory.Never, offence003), rules.OnEnd(end003),
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

// neighbours are the connections of the capture, and their books.
type neighbours struct {
	open map[*rules.Conn]*memory.Book
	over []neighbour // the newest last
}

type neighbour struct {
	conn *rules.Conn
	book *memory.Book
}

// message003 has the other connections know of one that advertises memory.
func message003(c *rules.Conn, _ *dissect.Message, _ rules.Say) {
	k := of(c)
	if k.known {
		return
	}
	k.known = true
	n := &ofCapture(c.Capture).neighbours
	if n.open == nil {
		n.open = make(map[*rules.Conn]*memory.Book)
	}
	n.open[c] = memory.Of(c)
}

func offence003(c *rules.Conn, o *memory.Offence, say rules.Say) {
	if c.BeganLate() || c.Lossy() {
		return
	}
	other, g := ofCapture(c.Capture).neighbours.find(c, &o.Access)
	if other == nil {
		return
	}
	if f := o.Say(say, ""); f != nil {
		f.Sayf("the %s issued an %s on handle %s, which was never advertised here but on connection %d, by the call with XID %s",
			c.Sender(o.From), o.Kind, rules.Handle(o.Handle), other.ID, rules.Handle(g.XID))
		f.See("handle", rules.Handle(o.Handle), "one that this connection advertised").See("advertised on connection", other.ID, c.ID).With(g.Call)
	}
}

func end003(c *rules.Conn, _ rules.Say) { ofCapture(c.Capture).neighbours.ended(c) }

// find looks for another connection of the same two hosts that advertised memory.
func (n *neighbours) find(c *rules.Conn, a *dissect.Access) (*rules.Conn, *memory.Grant) {
	victim := a.From.Peer()
	match := func(o *rules.Conn, b *memory.Book) *memory.Grant {
		for g := b.Newest(a.Handle); g != nil; g = g.Older() {
			if o.Ends[g.Owner].Addr == c.Ends[victim].Addr && g.Has(a.Offset, uint64(a.Length)) {
				return g
			}
		}
		return nil
	}
	for o, b := range n.open {
		if o != c {
			if g := match(o, b); g != nil {
				return o, g
			}
		}
	}
	for i := len(n.over) - 1; i >= 0; i-- {
		if g := match(n.over[i].conn, n.over[i].book); g != nil {
			return n.over[i].conn, g
		}
	}
	return nil, nil
}

func (n *neighbours) ended(c *rules.Conn) {
	b := memory.Of(c)
	delete(n.open, c)
	if b.Grants() == 0 {
		return
	}
	if len(n.over) == mostOver {
		n.over = append(n.over[:0], n.over[1:]...)
	}
	n.over = append(n.over, neighbour{c, b})
}
