package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.Cut, rules.Unpaired), rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder)).Of("data that was not written"),
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc010), rules.OnPublished(answer010), rules.OnPublished(lost010)},
	}
}

// An echoed is a reply that returns other memory than its call named, or more than was
// written there.
type echoed struct {
	about    *rules.About
	hosts    rules.Hosts
	xid      uint32
	proc     procedure
	returned memory
	unplaced bool // lengths without data
	of       *youngConn
}

// rpc010 posts such a reply.
func rpc010(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.CallHeader() == nil || r.Requester != c.ClientEnd || !c.Sound(r.Call) || !c.Sound(r.Reply) || !c.Paired(r) || r.Reply.Header.Proc == rpcrdma.RDMAError {
		return
	}
	x := echoed{xid: r.XID, proc: procedureOf(r.CallHeader()), unplaced: unplaced(c, r)}
	if !x.unplaced && !renamed(&r.Call.Header, &r.Reply.Header) {
		return
	}
	x.about, x.hosts = rules.AboutRPC(r), c.Hosts()
	x.returned.setHeader(&r.Reply.Header)
	for i := range r.Reply.Header.Writes {
		x.about.WriteChunk(r.Reply, i)
	}
	rules.Publish(c, x)
}

// renamed reports whether a reply returns a Write chunk with other handles than its call offered.
func renamed(call, reply *rpcrdma.Header) bool {
	for i := range min(len(call.Writes), len(reply.Writes)) {
		offered, returned := call.ChunkSegments(call.Writes[i]), reply.ChunkSegments(reply.Writes[i])
		for k := range min(len(offered), len(returned)) {
			if offered[k].Handle != returned[k].Handle {
				return true
			}
		}
	}
	return false
}

// unplaced reports whether a reply returns lengths in its Write chunks, and nothing was written
// for its call.
func unplaced(c *rules.Conn, r *dissect.RPC) bool {
	for i := range r.Reply.Header.Writes {
		if r.Reply.Header.WriteLength(i) > 0 {
			return r.Offer.WriteBytes == 0 && !c.OneDirection() && !c.LostAnyOf(r.Requester.Peer(), r.Call.Frame())
		}
	}
	return false
}

// mostEchoed is how many such replies are remembered: the end of the other connection may be
// told late.
const mostEchoed = 64

// answer010 looks for the lost call that the reply is the answer to.
func answer010(e *rules.ConnRef, x *echoed, report rules.Reporter) {
	if x.of = youngOf(e); x.of == nil {
		return // the hosts had no connection before
	}
	p := replaysOf(e.CrossConnection)
	for l := range p.lost.All() {
		if x.repeats(l) {
			x.report(e, report, l)
			return
		}
	}
	*p.echoed.Add(mostEchoed) = *x
}

// lost010 looks for the reply that answers a lost call.
func lost010(e *rules.ConnRef, lost *lostCall, report rules.Reporter) {
	l := *lost
	l.conn = e.ID()
	for x := range replaysOf(e.CrossConnection).echoed.All() {
		if y := x.of.entry; y != nil && x.repeats(&l) {
			x.report(y, report.On(y), &l)
		}
	}
}

// repeats reports whether a reply answers a lost call with what that named.
func (x *echoed) repeats(l *lostCall) bool {
	return l.hosts == x.hosts && l.conn < x.of.id && l.XID == x.xid && l.proc == x.proc &&
		(x.unplaced || l.memory.names(x.returned.first()))
}

// report reports such a reply.
func (x *echoed) report(e *rules.ConnRef, report rules.Reporter, l *lostCall) {
	f := report.About("", x.about, l.doubt)
	if f == nil {
		return
	}
	if h := x.returned.first(); l.memory.names(h) {
		f.Messagef("the server answered the retransmitted call with handle %s, which the call named on connection %d", rules.Handle(h), l.conn)
		f.See("handle", rules.Handle(h), nil)
	} else {
		f.Messagef("the server answered the retransmitted call, which was open when connection %d ended, with lengths of data that it did not write on this connection", l.conn)
	}
	f.See("connection of the lost call", l.conn, e.ID()).See("frame of the lost call", l.Ref.Number, nil)
}

// names reports whether a handle is one of them.
func (m *memory) names(handle uint32) bool {
	for i := range m.list[:min(m.n, mostHandles)] {
		if m.list[i].Handle == handle {
			return true
		}
	}
	return false
}
