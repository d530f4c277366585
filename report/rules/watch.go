package rules

import "github.com/rdmacap/rdmacap/dissect"

// watch has the rules look at a connection that are not Late.
func (k *Checker) watch(c *Conn) {
	c.watch.room(&k.size)
	c.watch.all = k.all
	c.watch.steps(c.tables, -1, 0)
	for _, late := range [...]bool{false, true} {
		for i, r := range k.rules {
			if r.Watch != nil && r.Late == late && (!late || k.all) {
				c.watch.turn = turn(r, i, len(k.rules))
				c.watch.add(r.Watch(c, Say{c: c, k: &k.capture, rule: r}))
			}
		}
	}
	k.size.note(&c.watch)
}

// watchLate has those rules that are Late look at a connection that waited for a class
// of message or RPC that is told now. Their hooks stand in the order of the rules all
// the same, behind those of the others.
func (k *Checker) watchLate(c *Conn, class Class) {
	for i, r := range k.rules {
		if of := r.begins(); r.Watch != nil && r.Late && of&class != 0 && of&c.classes == 0 {
			c.watch.turn = turn(r, i, len(k.rules))
			c.watch.add(r.Watch(c, Say{c: c, k: &k.capture, rule: r}))
		}
	}
	c.classes |= class
	k.size.note(&c.watch)
}

// spoken is the rules' view of a connection of which a message or an RPC of a class is
// told.
func (k *Checker) spoken(d *dissect.Connection, class Class) *Conn {
	c := k.conn(d)
	if p := spokenIn(class); p > c.speaks {
		if c.tables = k.tables[p]; k.mixed {
			c.watch.steps(c.tables, int(c.speaks), int(p))
		}
		after := int(c.speaks)
		c.speaks = p
		c.tables.begin.since(after, c, c.say(), nothing{})
	}
	if class |= plain; class&k.lateOf&^c.classes != 0 && !k.all {
		k.watchLate(c, class)
	}
	if !c.setUp {
		c.settled()
	}
	return c
}

// tell tells the rules of the connection of an event that has the bits of a class: those
// in t or, if some of them have hooks of the connection, in w.
func tell[T any](c *Conn, t *table[*Conn, T], w *hooked[T], class Class, x T) {
	if c.mixed {
		w.tell(c, class, x)
		return
	}
	t.tell(c, c.say(), class, x)
}
