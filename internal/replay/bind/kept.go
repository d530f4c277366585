package bind

import "github.com/rdmacap/rdmacap/dissect/xdr/types"

// Kept reports whether an operation, counted from 0, names a session, a client ID or a stateid
// that is not this replay's own: one that is sent as captured, or that the live server gave to a
// call with such a one. It does as well where nothing is known of what the operation names.
// Stateids that mean something by themselves are nobody's. It is to be asked before further
// replies are learnt.
func (c *Call) Kept(op int) bool {
	c.binder.mu.Lock()
	defer c.binder.mu.Unlock()
	kept := true
	for _, it := range c.contents.itemsOf(int32(op) + 1) {
		if owned(it.kind) {
			if it.inChunk || c.keeps(&it) {
				return true
			}
			kept = false
		}
	}
	return kept
}

// owned reports whether items of a kind belong to a client.
func owned(k types.BindKind) bool {
	return k == types.Sessions || k == types.Clients || k == types.Stateids
}

// keeps reports whether an item of the call is not this replay's own.
func (c *Call) keeps(it *item) bool {
	t, v := &c.binder.tables, c.contents.value(it)
	if special(it.kind, v) || it.kind == types.Stateids && t.standsIn(v) {
		return false
	}
	_, known := t.findLive(it.kind, "", v)
	return !known || t.foreign[identity(it.kind, v)]
}

// namesForeign reports whether the call names something that is not this replay's own.
func (c *Call) namesForeign() bool {
	for i := range c.contents.items {
		if it := &c.contents.items[i]; owned(it.kind) && !it.inChunk && c.keeps(it) {
			return true
		}
	}
	return false
}

// identity is what of an item stays the same as long as the server knows it: of a stateid its
// "other" bytes.
func identity(kind types.BindKind, v []byte) token {
	if kind == types.Stateids {
		v = v[4:]
	}
	return token{kind: kind, value: string(v)}
}

// obtained notes of an item that a reply gives whether the call that it answers was of this
// replay's own. What once was stays so as long as the server gives the same: a reply may only
// repeat it. It is to be called before the item is tied.
func (t *tables) obtained(kind types.BindKind, captured, live []byte, foreign bool) {
	if !owned(kind) {
		return
	}
	id := identity(kind, captured)
	before, known := t.findLive(kind, "", captured)
	switch {
	case !foreign:
		delete(t.foreign, id)
	case len(t.foreign) >= mostTied: // what is given then is not tied either
	case !known || identity(kind, before) != identity(kind, live):
		t.foreign[id] = true
	}
}
