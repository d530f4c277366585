package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	known "github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/report/rules/know/requests"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func rpcs004() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.OneDirection, rules.LostSince).In("b"),
			rules.LikelyIf(rules.OneDirection, rules.LostSince, rules.NothingFollows.From(rules.Server)),
			rules.SilentIf(rules.BeganLate, rules.OneDirection).In("c"),
			rules.SilentOrLikelyIf(rules.Lossy).In("c"),
		},
		Needs: []rules.Knowledge{requests.Knowledge()},
		On: []rules.Event{
			rules.OnBegin(begin004), rules.OnRPC(rules.WithoutReply, rpc004), rules.OnMessage(rules.Calling, message004),
			rules.OnAccess(rules.Unclaimed, access004), rules.OnEnd(end004), rules.OnPublished(left004),
			rules.OnPublished(begun004), rules.OnPublished(lost004), rules.OnPublished(young004),
		},
	}
}

// doubtAnswered is why a call may not have been lost.
const doubtAnswered = "frames after the call are missing from the capture, and its reply may be one of them"

// A begun connection has two hosts.
type begun struct{ hosts rules.Hosts }

func begin004(c *rules.Conn, _ rules.Reporter) { rules.Publish(c, begun{c.Hosts()}) }

// begun004 counts the connection.
func begun004(e *rules.ConnRef, x *begun, _ rules.Reporter) {
	if replaysOf(e.CrossConnection).begun(x.hosts) > 0 {
		*youngConnSlot.Of(e) = youngConn{hosts: x.hosts, id: e.ID(), entry: e}
	}
}

// rpc004 posts a call that was lost with its connection.
func rpc004(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if !r.Unreplied() || r.CallHeader() == nil || r.Requester != c.ClientEnd || c.Closing == flow.Open {
		return
	}
	l := lostCall{
		hosts: c.Hosts(), PastMessage: rules.Past(r.Call), proc: procedureOf(r.CallHeader()),
		name: string(r.AppendName(nil, r.Ops(nil))), unsafe: unsafe(r),
	}
	if !c.Whole(l.Ref) {
		l.unsafe, l.doubt = false, doubtAnswered
	} else if !c.WentOn(r.Requester.Peer(), l.Moment) && c.Closing != flow.Terminated && c.Closing != flow.Reset {
		l.doubt = doubtLast
	}
	l.memory.setHeader(&r.Call.Header)
	rules.Publish(c, l)
}

// lost004 remembers a call that was lost with its connection. The first calls of a later
// one may have come before that is told.
func lost004(e *rules.ConnRef, lost *lostCall, report rules.Reporter) {
	p := replaysOf(e.CrossConnection)
	l := p.lost.Add(mostLost)
	*l = *lost
	l.conn = e.ID()
	for y := range p.young.All() {
		if y.of.entry != nil && y.same(l) {
			y.of.found(report, l, y)
		}
	}
}

// found reports a call that came again on the connection.
func (young *youngConn) found(report rules.Reporter, l *lostCall, y *youngCall) {
	young.replayed = true
	letter := ""
	if l.unsafe {
		letter = "b"
	}
	f := report.On(young.entry).Past(letter, &y.PastMessage, l.doubt)
	if f == nil {
		return
	}
	f.AtOnce() // it is told once the old connection is over, when this one may be lost too
	f.Call = l.name
	f.Messagef("the client retransmitted a call of connection %d, %s after it was sent there", l.conn, rules.Duration(y.Time-l.Time))
	if l.unsafe {
		f.Message += ", and nothing prevents the server from executing it twice"
	}
	f.See("connection of the lost call", l.conn, nil).See("frame of the lost call", l.Ref.Number, nil).At(y.place)
}

// message004 posts the first calls.
func message004(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.Role() != dissect.RoleCall || !m.HasRPC || m.From != c.ClientEnd {
		return
	}
	k := state.Of(c)
	if k.calls == 0 && alone(rules.Immediate(c), c) {
		k.calls = firstCalls
	}
	if k.calls >= firstCalls {
		return
	}
	k.calls++
	y := youngCall{PastMessage: rules.Past(m), proc: procedureOf(&m.CallHeader)}
	var places [2]flow.Place
	if list := m.Place(places[:0], rpcrdma.AtXID, xdr.WordSize); len(list) > 0 {
		y.place = list[0]
	}
	rules.Publish(c, y)
}

// young004 looks for one of the first calls among those that were lost.
func young004(e *rules.ConnRef, call *youngCall, report rules.Reporter) {
	young := youngOf(e)
	if young == nil {
		return
	}
	p := replaysOf(e.CrossConnection)
	y := p.young.Add(mostLost)
	*y = *call
	y.of = young
	for l := range p.lost.All() {
		if y.same(l) {
			young.found(report, l, y)
			return
		}
	}
}

func access004(c *rules.Conn, a *dissect.Access, _ rules.Reporter) {
	if a.RPC != nil || a.Kind != dissect.AccessWrite || !a.First || a.From == c.ClientEnd {
		return
	}
	k := state.Of(c)
	if len(k.unknownWrites) >= mostUnknownWrites {
		return
	}
	if v, _ := known.Of(c).FindAccess(a); v == known.Never {
		k.unknownWrites = append(k.unknownWrites, unknownWrite{a.Handle, a.Offset, a.Length, a.Place, a.Time})
	}
}

// A left connection is over: strange are RDMA Writes of its server that no call asked for,
// none if a call may be missing.
type left struct {
	server        flow.End
	unknownWrites []unknownWrite
	doubt         string
}

func end004(c *rules.Conn, _ rules.Reporter) {
	x := left{server: c.ClientEnd.Peer()}
	if k := state.IfAny(c); k != nil && len(k.unknownWrites) > 0 && !c.BeganLate() && !c.OneDirection() {
		if lacks := c.LackingOf(c.ClientEnd); !lacks || c.Accounted(c.ClientEnd, 0) {
			x.unknownWrites = k.unknownWrites
		}
		if !c.WholeSoFar() {
			x.doubt = finding.DoubtLoss
		}
	}
	refused004(c)
	rules.Publish(c, x)
}

// refused004 posts the calls whose replies the client refused: they are lost with the
// connection too.
func refused004(c *rules.Conn) {
	for _, x := range requests.Of(c).RefusedReplies() {
		p := c.History().Latest(c.ClientEnd, x.XID)
		if p == nil || p.Answer != x.Frame || !p.HasRPC || c.Closing == flow.Open {
			continue
		}
		rules.Publish(c, lostCall{
			hosts: c.Hosts(), PastMessage: rules.PastMessage{Moment: flow.Moment{Ref: p.Call, Time: p.CallTime}, From: c.ClientEnd, XID: p.XID},
			proc:   procedure{p.Program, p.Version, p.Procedure},
			unsafe: p.Program == rpc.ProgramNFS && p.Version < 4 && values.NonIdempotent(p.Version, p.Procedure) != "",
		})
	}
}

func left004(e *rules.ConnRef, x *left, report rules.Reporter) {
	young := youngOf(e)
	if young == nil {
		return
	}
	young.entry = nil // its calls are remembered for longer
	if !young.replayed {
		return
	}
	for i := range x.unknownWrites {
		w := &x.unknownWrites[i]
		l := replaysOf(e.CrossConnection).named(young.hosts, young.id, w)
		if l == nil {
			continue
		}
		report.Moment("c", w.place.Ref, w.time, &x.server, x.doubt).
			Messagef("the server wrote to handle %s, which only a call of connection %d named", rules.Handle(w.handle), l.conn).
			See("handle", rules.Handle(w.handle), nil).See("connection that named it", l.conn, young.id).At(w.place)
	}
}
