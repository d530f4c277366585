package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

// A compound is what the call of the RPC that is over asks for, if it is a
// COMPOUND of NFS version 4. It is worked out once for all rules of a connection.
type compound struct {
	c    *rules.Conn
	turn int64 // of the RPC that this is about
	// call is nil if there is none that may be judged.
	call *dissect.Body
	has  operations
	on   []interest
}

// An interest is a rule in those COMPOUNDs that have one of some operations.
type interest struct {
	in operations
	do func(r *dissect.RPC)
}

// operations are the numbers of operations, up to 127, as a set.
type operations [2]uint64

func (s *operations) add(op uint64) {
	if op < 128 {
		s[op/64] |= 1 << (op % 64)
	}
}

func (s *operations) has(op uint64) bool { return s[op/64%2]>>(op%64)&1 != 0 }

// any reports whether two sets have an operation in common.
func (s *operations) any(o *operations) bool { return s[0]&o[0]|s[1]&o[1] != 0 }

func set(ops ...uint64) (s operations) {
	for _, op := range ops {
		s.add(op)
	}
	return s
}

// with lets a rule see the COMPOUNDs that have one of some operations and may be judged.
func (x *compound) with(in operations, do func(r *dissect.RPC)) {
	x.on = append(x.on, interest{in, do})
}

// Hooks tells the rules.
func (x *compound) Hooks(c *rules.Conn) rules.Hooks {
	x.c = c
	return rules.Hooks{RPCOf: rules.Compound, RPC: func(r *dissect.RPC) {
		x.of(r)
		for i := range x.on {
			if o := &x.on[i]; o.in.any(&x.has) {
				o.do(r)
			}
		}
	}}
}

// of turns to the RPC that the rules are told of.
func (x *compound) of(r *dissect.RPC) *compound {
	if turn := x.c.Turn(); x.turn != turn {
		x.turn = turn
		x.look(r)
	}
	return x
}

func (x *compound) look(r *dissect.RPC) {
	x.call, x.has = nil, operations{}
	h := called(r)
	if h == nil || !values.IsCompound(h) {
		return
	}
	b := values.Walked(r.Call)
	if b == nil {
		return
	}
	x.call = b
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation {
			x.has.add(e.Value)
		}
	}
}

// minorVersion is that of a COMPOUND or CB_COMPOUND, which stands behind the tag.
func minorVersion(b *dissect.Body) (v uint32, ok bool) {
	if len(b.Octets) < xdr.WordSize {
		return 0, false
	}
	at := xdr.WordSize + xdr.Padded(binary.BigEndian.Uint32(b.Octets))
	if at+xdr.WordSize > uint64(len(b.Octets)) {
		return 0, false
	}
	return binary.BigEndian.Uint32(b.Octets[at:]), true
}
