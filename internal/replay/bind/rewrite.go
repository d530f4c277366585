package bind

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// What an Unbound says.
const (
	reasonNever   = "is in no reply of the capture"
	reasonLacking = "was returned by the captured server but not by the live one"
	reasonFull    = "is unknown: more items were returned than are kept"
	reasonStandIn = "was returned by the captured server but not by the live one, which returned another one for the same file: the anonymous stateid is sent"
	reasonDevice  = "is a pNFS device: data servers are not replayed"
	reasonLength  = "has another length on the live server, where the length is fixed"
	reasonChunk   = "travelled in a chunk"
)

const (
	mostUnbound = 64
	mostValue   = 128
)

// A replacement is what an item becomes: as it is without bytes, and the reason why, if it
// should have become another. With both the bytes only stand in for what it should become.
type replacement struct {
	bytes  []byte
	reason string
}

// rewrite writes a message with its items replaced.
func rewrite(c *contents, live func(it *item) replacement) Rewritten {
	var r Rewritten
	s := &splice{from: c, out: make([]byte, 0, len(c.bytes)+64)}
	for i := range c.items {
		it := &c.items[i]
		if it.holds {
			s.item(it, nil)
			continue
		}
		if it.inChunk {
			r.unbound(c, it, reasonChunk)
			continue
		}
		to := live(it)
		if to.bytes != nil && !s.item(it, to.bytes) {
			to.reason = reasonLength
		}
		if to.reason != "" {
			r.unbound(c, it, to.reason)
		}
	}
	r.Bytes, r.moved = s.finish(), s
	return r
}

// unbound notes an item that stays as it is.
func (r *Rewritten) unbound(c *contents, it *item, reason string) {
	if len(r.Unbound) == mostUnbound {
		r.More++
		return
	}
	r.Unbound = append(r.Unbound, c.unbound(it, reason))
}

func (c *contents) unbound(it *item, reason string) Unbound {
	v := c.value(it)
	return Unbound{
		Kind: it.kind.String(), Field: c.plan.roles[it.mark].field,
		Value: append([]byte(nil), v[:min(len(v), mostValue)]...), Reason: reason,
	}
}

// live is what an item of the call becomes.
func (c *Call) live(it *item) replacement {
	b, v := c.binder, c.contents.value(it)
	switch it.kind {
	case types.Owners:
		return replacement{bytes: b.owner(c.contents, it)}
	case types.Sequences, types.Seqids:
		return c.number(it)
	case types.Devices:
		return replacement{reason: reasonDevice}
	case types.Slots, types.NotBound:
		return replacement{}
	}
	if special(it.kind, v) && (it.kind != types.Verifiers || !c.continues(it)) {
		return replacement{}
	}
	if live, ok := b.tables.findLive(it.kind, scope(c.scopes, it), v); ok {
		return replacement{bytes: live}
	}
	if it.kind == types.Stateids && b.tables.standsIn(v) {
		return replacement{make([]byte, it.n), reasonStandIn}
	}
	switch k := (token{it.kind, scope(c.scopes, it), string(v)}); {
	case b.tables.full:
		return replacement{reason: reasonFull}
	case b.tables.lacking[k]:
		return replacement{reason: reasonLacking}
	case special(it.kind, v):
		return replacement{} // a verifier of zero that no reply gave
	}
	return replacement{reason: reasonNever}
}

// continues reports whether an item stands after a cookie that is not zero: a verifier of
// zero is a value like any other then (RFC 1813, section 3.3.16).
func (c *Call) continues(it *item) bool {
	i, _ := slices.BinarySearchFunc(c.contents.items, it.at, func(it item, at int) int { return it.at - at })
	if i == 0 {
		return false
	}
	before := &c.contents.items[i-1]
	return before.op == it.op && before.kind == types.Cookies && !special(before.kind, c.contents.value(before))
}

// owner is an owner with the suffix, nil if it stays. One that would get too long
// loses bytes at its end.
func (b *Binder) owner(c *contents, it *item) []byte {
	suffix := b.options.OwnerSuffix
	if suffix == "" {
		return nil
	}
	most := int(min(c.plan.Marks[it.mark].Type.Most(), 1<<20))
	v := c.value(it)
	v = v[:min(len(v), max(0, most-len(suffix)))]
	return append(append(make([]byte, 0, len(v)+len(suffix)), v...), suffix[:min(len(suffix), most)]...)
}
