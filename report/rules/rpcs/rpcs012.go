package rpcs

import (
	"cmp"
	"hash/fnv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On: []rules.Event{
			rules.OnMessage(rules.Malformed|rules.OtherXID|rules.OtherProcedure, framed012), rules.OnRPC(0, rpc012), rules.OnEnd(end012),
			rules.OnPublished(done012), rules.OnPublished(undone012), rules.OnOver(over012),
		},
	}
}

// mostDone is how many calls of a connection are remembered that succeeded: it is the last ones
// that come again on the next.
const mostDone = 8

// soon is within how many nanoseconds of its answer a call comes again for which a reply cache is
// there: later its XID may be another call's.
const soon = 300_000_000_000

// A done call succeeded, and would have another outcome if it were executed again.
type done struct {
	hosts rules.Hosts
	conn  int // its ID, which CrossConnection knows
	deed
	at flow.Moment // of the answer
}

// An undone call failed as one does that was executed before.
type undone struct {
	hosts  rules.Hosts
	about  *rules.About
	name   string
	status uint32
	entry  *rules.ConnRef // nil once it is over: then nothing more is said of it
	at     flow.Moment    // of the call
	deed
}

// A deed is what a call asks for, and reports it from others.
type deed struct {
	xid       uint32
	proc      procedure
	arguments uint64 // a hash of them
}

// rpc012 takes an RPC whose call must not be executed twice.
func rpc012(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	answer := cmp.Or(r.Reply, r.Untaken)
	if answer == nil || r.Call == nil || r.Requester != c.ClientEnd || !c.Sound(r.Call) || !c.Sound(answer) || !changes(r) {
		return
	}
	b := r.Call.Body()
	if b == nil {
		return
	}
	h := fnv.New64a()
	h.Write(b.Bytes)
	x := deed{r.XID, procedureOf(r.CallHeader()), h.Sum64()}
	status, ok := r.StatusOf(answer)
	switch {
	case !ok:
	case status == 0:
		*rules.Some(&state.Of(c).done).Add(mostDone) = done{deed: x, at: answer.Moment()}
	case (status == numbers.StatusNoent || status == numbers.StatusExist) && r.Reply != nil:
		rules.Publish(c, undone{hosts: c.Hosts(), about: rules.AboutRPC(r), name: string(r.AppendName(nil, r.Ops(nil))), status: status, at: r.Call.Moment(), deed: x})
	}
}

// end012 posts the last calls that succeeded: they may come again on the next connection.
func end012(c *rules.Conn, _ rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.done == nil {
		return
	}
	for x := range k.done.All() {
		x.hosts = c.Hosts()
		rules.Publish(c, *x)
	}
}

// deeds are the calls of which one may be the other once more: the end of a connection may be told
// after what came on the next.
type deeds struct {
	done   rules.Ring[done]
	undone rules.Ring[undone]
}

// mostDeeds is how many of each are remembered.
const mostDeeds = 256

func done012(e *rules.ConnRef, x *done, report rules.Reporter) {
	x.conn = e.ID()
	k := replaysOf(e.CrossConnection)
	*k.deeds.done.Add(mostDeeds) = *x
	for y := range k.deeds.undone.All() {
		if y.entry != nil && y.repeats(x) {
			y.report(report.On(y.entry), x)
		}
	}
}

func undone012(e *rules.ConnRef, y *undone, report rules.Reporter) {
	y.entry = e
	k := replaysOf(e.CrossConnection)
	for x := range k.deeds.done.All() {
		if y.repeats(x) {
			y.report(report, x)
			return
		}
	}
	*k.deeds.undone.Add(mostDeeds) = *y
}

// over012 lets go of a connection that is over: its calls are remembered for longer, and would keep
// all that is known of it.
func over012(e *rules.ConnRef, _ *rules.Conn, _ rules.Reporter) {
	for y := range replaysOf(e.CrossConnection).deeds.undone.All() {
		if y.entry == e {
			y.entry = nil
		}
	}
}

// repeats reports whether a call is one that succeeded before.
func (y *undone) repeats(x *done) bool {
	return y.hosts == x.hosts && y.deed == x.deed && y.entry.ID() > x.conn && x.at.Before(y.at) && y.at.Time-x.at.Time <= soon
}

func (y *undone) report(report rules.Reporter, x *done) {
	f := report.About("a", y.about, "")
	if f == nil {
		return
	}
	f.Messagef("%s with this XID succeeded before, but now fails as if it had been executed twice: its first answer is in frame %d of connection %d", y.name, x.at.Ref.Number, x.conn)
	f.See("status", y.status, 0).See("first answer", x.at.Ref.Number, nil)
}
