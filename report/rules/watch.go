package rules

import "github.com/rdmacap/rdmacap/dissect"

// watch has the rules look at a connection that are not Late.
func (k *Checker) watch(c *Conn) {
	for i, r := range k.rules {
		if r.Watch != nil && !r.Late {
			c.watch.turn = i
			c.watch.add(r.Watch(c, Say{c: c, k: &k.capture, rule: r}))
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
			c.watch.turn = len(k.rules) + i
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
	if class |= plain; class&k.lateOf&^c.classes != 0 {
		k.watchLate(c, class)
	}
	if !c.setUp {
		c.settled()
	}
	return c
}
