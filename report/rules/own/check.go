package own

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

// check is what the conditions look at, and what they make of it.
func (c *conditions) check() rules.Check {
	k := rules.Check{Speaks: rules.RPCRDMA, Fields: slices.Clone(c.when.keys)}
	if c.then != nil {
		k.Fields = append(k.Fields, c.then.keys...)
	}
	levels := []level{c.when.level}
	if c.then != nil && c.then.level != c.when.level {
		levels = append(levels, c.then.level)
	}
	for _, l := range levels {
		switch l {
		case rpcs:
			k.On = append(k.On, rules.OnRPC(0, c.rpc))
			k.Limitations = append(k.Limitations, rules.SilentIf(rules.Cut))
			if len(k.Fields) > 0 {
				k.Limitations = append(k.Limitations, rules.SilentIf(rules.Protected))
			}
		case messages:
			k.On = append(k.On, rules.OnMessage(0, c.message))
			k.Limitations = append(k.Limitations, rules.SilentIf(rules.Cut))
		case frames:
			k.On = append(k.On, rules.OnFrame(0, c.frame))
			k.Speaks = rules.AnyProtocol
		case connections:
			k.On = append(k.On, rules.OnBegin(c.connection))
		}
	}
	if c.then != nil {
		k.On = append(k.On, rules.OnTick(c.tick), rules.OnEnd(c.forget))
		if c.never {
			k.Limitations = append(k.Limitations, rules.SilentIf(rules.Disordered))
		} else {
			k.Limitations = append(k.Limitations, rules.SilentIf(rules.LostSince, rules.OneDirection, rules.Disordered, rules.NearEnd).Since("what it must follow"))
		}
	}
	k.Limitations = merged(k.Limitations)
	return k
}

// merged are limitations without those that are there twice.
func merged(list rules.Limitations) (out rules.Limitations) {
	var silent []rules.Limitation
	for _, g := range list {
		if g.After != "" {
			out = append(out, g)
			continue
		}
		for _, gate := range g.Limitations {
			if !slices.Contains(silent, gate) {
				silent = append(silent, gate)
			}
		}
	}
	if silent == nil {
		return out
	}
	return append(rules.Limitations{rules.SilentIf(silent...)}, out...)
}

// rpc takes an RPC that is over.
func (c *conditions) rpc(conn *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if !r.Complete || r.Call == nil || r.Reply == nil || conn.Cut(r.Call) || conn.Cut(r.Reply) || c.reads() && conn.Opaque(r) {
		return
	}
	if c.then != nil && c.then.level == rpcs && c.then.rpc(r) {
		c.follows(conn, follower{at: r.Reply.Moment(), say: func() *rules.Finding { return report.Part("", r, r.Call, "") }})
	}
	if c.when.level != rpcs || !c.when.rpc(r) {
		return
	}
	if c.then != nil {
		p := rules.Past(r.Call)
		c.wait(conn, pending{at: r.Reply.Moment(), past: p, isMessage: true})
		return
	}
	c.found(report.Part("", r, r.Call, ""))
}

// reads reports whether the conditions are about values of arguments and results.
func (c *conditions) reads() bool {
	return len(c.when.keys) > 0 || c.then != nil && len(c.then.keys) > 0
}

// message takes a message.
func (c *conditions) message(conn *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if conn.Cut(m) {
		return
	}
	if c.then != nil && c.then.level == messages && c.then.message(m) {
		c.follows(conn, follower{at: m.Moment(), say: func() *rules.Finding { return report.Message("", m, "") }})
	}
	if c.when.level != messages || !c.when.message(m) {
		return
	}
	if c.then != nil {
		c.wait(conn, pending{at: m.Moment(), past: rules.Past(m), isMessage: true})
		return
	}
	c.found(report.Message("", m, ""))
}

// frame takes a frame.
func (c *conditions) frame(conn *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	at := momentOf(v)
	if c.then != nil && c.then.level == frames && c.then.frame(v) {
		c.follows(conn, follower{at: at, say: func() *rules.Finding { return report.Frame("", v, "") }})
	}
	if c.when.level != frames || !c.when.frame(v) {
		return
	}
	if c.then != nil {
		c.wait(conn, pending{at: at, past: rules.PastMessage{Moment: at, From: v.Verdict.From}})
		return
	}
	c.found(report.Frame("", v, ""))
}

// connection takes a connection whose first message came.
func (c *conditions) connection(conn *rules.Conn, report rules.Reporter) {
	if c.when.connection(conn.Connection) {
		c.found(report.Connection("", ""))
	}
}

// found words what the rule says of what matched; nothing if that was reported before.
func (c *conditions) found(f *rules.Finding) {
	if f == nil {
		return
	}
	if f.Call != "" {
		f.Messagef("%s: %s", f.Call, c.says)
	} else {
		f.Messagef("%s", c.says)
	}
	f.See("matched", c.when.text, nil)
}
