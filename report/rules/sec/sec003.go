package sec

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

func sec003() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.BeganLate),
			rules.SilentOrLikelyIf(rules.NothingFollows.From(rules.Client)),
			rules.SilentOrLikelyIf(rules.LostSince.From(rules.Client)).Since("30 s before the operation"),
			rules.DetailIf(rules.Disordered),
		},
		Needs: []rules.Knowledge{memory.CheckerKnowledge()},
		On: []rules.Event{
			rules.OnMessage(rules.WithChunks, message003), memory.OnViolation(memory.Never, violation003), rules.OnOver(over003),
			rules.OnPublished(neighbour003), rules.OnPublished(trespass003),
		},
	}
}

// mostOver is how many connections that are over are remembered.
const mostOver = 16

// neighbours are the connections of the capture that advertised memory.
type neighbours struct {
	open map[*rules.ConnRef]neighbour
	over rules.Ring[neighbour]
}

// A neighbour is one of them. Its book changes until it is over.
type neighbour struct {
	id   int // in CrossConnection
	ends [2]link.Addr
	book *memory.Ledger
}

func neighbourOf(c *rules.Conn) neighbour {
	return neighbour{ends: [2]link.Addr{c.Ends[0].Addr, c.Ends[1].Addr}, book: memory.Of(c)}
}

// message003 has the other connections know of one that advertises memory.
func message003(c *rules.Conn, _ *dissect.Message, _ rules.Reporter) {
	if k := state.Of(c); !k.known {
		k.known = true
		rules.Publish(c, neighbourOf(c))
	}
}

func neighbour003(e *rules.ConnRef, x *neighbour, _ rules.Reporter) {
	n := &crossState(e).neighbours
	if n.open == nil {
		n.open = make(map[*rules.ConnRef]neighbour)
	}
	x.id = e.ID()
	n.open[e] = *x
}

// A trespass is an operation on memory that nobody advertised on its connection.
type trespass struct {
	memory.Violation
	sender string
	victim link.Addr
	now    int64 // the newest time of the capture
}

func violation003(c *rules.Conn, o *memory.Violation, _ rules.Reporter) {
	if c.OneDirection() {
		return
	}
	rules.Publish(c, trespass{*o, c.Sender(o.From), c.Ends[o.From.Peer()].Addr, c.Capture.Now})
}

func trespass003(e *rules.ConnRef, x *trespass, report rules.Reporter) {
	n := &crossState(e).neighbours
	other, g := n.findNeighbour(e, x)
	if g == nil {
		return
	}
	if f := x.Report(report, ""); f != nil {
		f.Messagef("the %s issued an %s on handle %s, which was not advertised on this connection but on connection %d, by the call with XID %s",
			x.sender, x.Kind, rules.Handle(x.Handle), other, rules.Handle(g.XID))
		f.See("handle", rules.Handle(x.Handle), "one that this connection advertised").See("advertised on connection", other, e.ID()).With(g.Call)
	}
}

func over003(e *rules.ConnRef, c *rules.Conn, _ rules.Reporter) {
	n := &crossState(e).neighbours
	delete(n.open, e)
	x := neighbourOf(c)
	if x.book.Advertised() == 0 {
		return
	}
	x.id = e.ID()
	*n.over.Add(mostOver) = x
}

// findNeighbour looks for another connection of the same host that advertised memory: of those that
// are open the first, else the one that was over last. The open ones are paused: what they
// advertised later does not count.
func (n *neighbours) findNeighbour(e *rules.ConnRef, x *trespass) (id int, found *memory.AdvertisedSegment) {
	e.CrossConnection.Pause(func() {
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
func (n *neighbour) match(x *trespass) *memory.AdvertisedSegment {
	for g := n.book.Newest(x.Handle); g != nil; g = g.Older() {
		if g.Since <= x.now && n.ends[g.Owner] == x.victim && g.Has(x.Offset, uint64(x.Length)) {
			return g
		}
	}
	return nil
}
