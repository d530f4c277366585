package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// each calls do with each characteristic that a message settles for its sender: those of
// an INIT_XCHAR, those that a RESP_XCHAR says are done, that of an UPD_XCHAR; and which
// element of the INIT_XCHAR or REQ_XCHAR it is. What cannot be decoded, or whose request
// is not known, settles nothing.
func (e *event) each(do func(n int, x *item)) {
	if e.op == nil || !e.op.sound {
		return
	}
	switch e.op.kind {
	case rpcrdma.InitXchar, rpcrdma.UpdXchar:
		for i := range e.op.items {
			do(i, &e.op.items[i])
		}
	case rpcrdma.RespXchar:
		e.elements(e.option.Done, do)
	}
}

// elements calls do with the requested characteristics that are in a subset of a
// RESP_XCHAR, in the order of bits that fits. It reports whether that is known.
func (e *event) elements(s rpcrdma.Subset, do func(n int, x *item)) bool {
	if e.to == nil || !e.op.sound || !e.to.sound || e.to.count > len(e.to.items) {
		return false
	}
	r, ok := orderOf(e.option, e.to.count)
	if !ok {
		return false
	}
	for i := range e.to.items {
		if r.has(e.option, s, i) {
			do(i, &e.to.items[i])
		}
	}
	return true
}

// unchanging calls do with the characteristics of an INIT_XCHAR that will not change.
func (e *event) unchanging(do func(x *item)) {
	o := e.option
	r := leastFirst
	if r.beyond(o, o.NoChange, e.op.count) >= 0 {
		r = mostFirst
		if r.beyond(o, o.NoChange, e.op.count) >= 0 {
			return
		}
	}
	for i := range e.op.items {
		if r.has(o, o.NoChange, i) {
			do(&e.op.items[i])
		}
	}
}
