package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A compound is what the call of the RPC that is over asks for, if it is a
// COMPOUND of NFS version 4. It is worked out once for all rules.
type compound struct {
	turn int64 // counts the RPCs
	of   int64 // the one that this is about
	rpc  *dissect.RPC
	// call is nil if there is none that may be judged.
	call *dissect.Body
	has  operations
}

// operations are the numbers of operations, up to 127, as a set.
type operations [2]uint64

func (s *operations) addOperation(op uint64) {
	if op < 128 {
		s[op/64] |= 1 << (op % 64)
	}
}

func (s *operations) has(op uint64) bool { return s[op/64%2]>>(op%64)&1 != 0 }

// any reports whether two sets have an operation in common.
func (s *operations) any(o *operations) bool { return s[0]&o[0]|s[1]&o[1] != 0 }

// class has a bit for each operation of a set, some of which share one.
func (s *operations) class() rules.Class {
	both := s[0] | s[1]
	return rules.Class(both | both>>32)
}

func set(ops ...uint64) (s operations) {
	for _, op := range ops {
		s.addOperation(op)
	}
	return s
}

// onCompound calls do for the COMPOUNDs that have one of some operations and may be judged,
// for rules that need compounds.
func onCompound(in operations, do func(c *rules.Conn, x *compound, report rules.Reporter)) rules.Event {
	return rules.On(in.class(), func(c *rules.Conn, x *compound, report rules.Reporter) {
		if in.any(&x.has) {
			do(c, x, report)
		}
	})
}

// compounds notifies the rules.
func compounds() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsULBCompound, Limitations: []rules.Limitation{rules.Cut, rules.Protected}, On: []rules.Event{
		rules.OnRPC(0, func(c *rules.Conn, _ *dissect.RPC, _ rules.Reporter) { all(c).compound.turn++ }),
		rules.OnRPC(rules.Compound, func(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
			x := compoundOf(c, r)
			rules.Raise(c, x.has.class(), x)
		}),
	}}
}

// compoundOf is that of the RPC that the rules receive.
func compoundOf(c *rules.Conn, r *dissect.RPC) *compound {
	x := &all(c).compound
	if x.of != x.turn {
		x.of = x.turn
		x.look(c, r)
	}
	return x
}

func (x *compound) look(c *rules.Conn, r *dissect.RPC) {
	x.rpc, x.call, x.has = r, nil, operations{}
	h := called(c, r)
	if h == nil || !values.IsCompound(h) {
		return
	}
	b := values.Walked(c, r.Call)
	if b == nil {
		return
	}
	x.call = b
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation {
			x.has.addOperation(e.Value)
		}
	}
}
