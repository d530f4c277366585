package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func credit007() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.LostAround.From(rules.Client), rules.Disordered, rules.AnyCut, rules.NearEnd),
			rules.LikelyIf(rules.NothingFollows.From(rules.Client)),
			rules.SilentOrLikelyIf(rules.Lossy.From(rules.Client)),
		},
		Fields: values.BackChannelFields(),
		Needs:  []rules.Knowledge{accounts()},
		On: []rules.Event{
			rules.OnMessage(rules.Calling, message007), rules.OnMessage(rules.WithoutCall, orphan007), onEvent(whileUnready, event007), rules.OnEnd(end007),
		},
	}
}

// doubtClient is why the client may have been ready after all.
const doubtClient = "a message from the client may be missing from the capture: no later message from the client rules that out"

// supported reports whether a callback is one of version 2, of which the client said that
// it takes them, or may have.
func supported(c *rules.Conn, e *event) bool {
	if e.version != rpcrdma.Version2 {
		return false
	}
	x, said := c.Characteristics(c.ClientEnd).At(rpcrdma.XcharBRS, e.Ref, e.Time)
	return said && (!x.Known || x.Value >= uint32(rpcrdma.ReverseSizeLimited))
}

// message007 reads what a call of the client says about callbacks.
func message007(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.Role() != dissect.RoleCall || !c.RolesKnown || !c.ToServer(m.From) || c.BeganLate() {
		return
	}
	if k := state.IfAny(c); k != nil && k.ready {
		return
	}
	if a := accountSlot.IfAny(c); a != nil && a.newest != nil && a.newest.kind == called {
		a.newest.ready = ofCapture(c).readies(m)
	}
}

// orphan007 counts answers to calls that may have made the connection one for callbacks, which the capture lacks.
func orphan007(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if m.From == c.ClientEnd || !values.IsOrphan(m) {
		return
	}
	switch r, maybe, read := values.OrphanOf(m); {
	case maybe && (!read || r.Op == numbers.OpCreateSession || r.Op == numbers.OpBindConnToSession):
		state.Of(c).binding++
	}
}

func event007(a *account, e *event, report rules.Reporter) {
	c, k := a.c, state.Of(a.c)
	switch {
	case !c.RolesKnown:
	case !c.ToServer(e.from):
		if e.kind == called && k.early == nil && !supported(c, e) {
			early := *e
			k.early = &early
		}
	default:
		// What the callback came before counts; what came between is missing.
		k.unready(c, report)
		k.ready = e.ready != notReady
	}
}

// unready reports a callback that came too early.
func (k *kept) unready(c *rules.Conn, report rules.Reporter) {
	early := k.early
	if early == nil {
		return
	}
	k.early = nil
	// What made the connection one for callbacks the client may have said at any time before.
	if _, setUp := c.Thresholds(); !setUp || c.BeganLate() || c.OneDirection() || c.Disordered() || c.Limited(rules.AnyCut, c.Connection.Cut > 0) {
		return
	}
	doubt, near := "", c.LostNear(c.ClientEnd, early.Ref)
	if c.LackingOf(c.ClientEnd) {
		if near || !c.AccountedCalls(c.ClientEnd, k.binding) {
			return // it may be what made the connection one for callbacks
		}
		doubt = finding.DoubtLoss
	} else if !c.WentOn(c.ClientEnd, early.Moment) {
		doubt = doubtClient
	}
	report.Moment("", early.frame, early.Time, &early.from, doubt).
		ForXID(early.xid).
		Messagef("the server sent a reverse-direction call, but the client did not prepare this connection for them").
		See("back channel bound", false, true).At(early.place)
}

func end007(c *rules.Conn, report rules.Reporter) {
	if k := state.IfAny(c); k != nil && k.early != nil && !(c.Closing == flow.Open && c.EndGuard(k.early.Time)) {
		k.unready(c, report)
	}
}
