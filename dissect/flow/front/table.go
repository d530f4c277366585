package front

import "cmp"

// mostNames is how many names a table remembers at least, those used last.
const mostNames = 1 << 17

// mostBegun is the same of names that a REQ or a REP gave a connection, as long as the other
// one is missing: anybody can send many of them.
const mostBegun = 1 << 13

// mostPairs is the same of pairs of hosts.
const mostPairs = 1 << 12

// mostEnded is the same of names whose connections have ended.
const mostEnded = 1 << 14

// names remember what connections are called, fewer of those that have only begun, and for
// a shorter time those that have ended: frames may still come late.
type names[K comparable, V any] struct{ open, begun, ended table[K, V] }

// findName is what is remembered of a name.
func (n *names[K, V]) findName(k K) (v V, ok bool) {
	if v, ok = n.open.findEntry(k); ok {
		return v, ok
	}
	if v, ok = n.begun.findEntry(k); !ok {
		v, ok = n.ended.findEntry(k)
	}
	return v, ok
}

// set remembers something of a name, of a connection that is open.
func (n *names[K, V]) set(k K, v V) {
	n.begun.remove(k)
	n.ended.remove(k)
	n.open.set(k, v)
}

// beginName remembers something of a name, of a connection that has only begun.
func (n *names[K, V]) beginName(k K, v V) {
	if _, open := n.open.findEntry(k); open {
		n.open.set(k, v)
		return
	}
	n.ended.remove(k)
	n.begun.most = mostBegun
	n.begun.set(k, v)
}

// keep says that a connection has more than begun.
func (n *names[K, V]) keep(k K) {
	if v, ok := n.begun.findEntry(k); ok {
		n.begun.remove(k)
		n.open.set(k, v)
	}
}

// endName says that the connection of a name has ended.
func (n *names[K, V]) endName(k K) {
	if v, ok := n.findName(k); ok {
		n.open.remove(k)
		n.begun.remove(k)
		n.ended.most = mostEnded
		n.ended.set(k, v)
	}
}

// forget forgets the names that are chosen.
func (n *names[K, V]) forget(which func(k K, v V) bool) {
	n.open.forget(which)
	n.begun.forget(which)
	n.ended.forget(which)
}

// A table remembers names that were used lately: as many again as most at most.
type table[K comparable, V any] struct {
	young, old map[K]V
	most       int // 0 for mostNames
}

func (t *table[K, V]) remove(k K) {
	delete(t.young, k)
	delete(t.old, k)
}

// findEntry is what is remembered of a name.
func (t *table[K, V]) findEntry(k K) (v V, ok bool) {
	if v, ok = t.young[k]; ok {
		return v, true
	}
	if v, ok = t.old[k]; ok {
		t.set(k, v)
	}
	return v, ok
}

// forget forgets the names that are chosen, and has no more room than the others take.
func (t *table[K, V]) forget(which func(k K, v V) bool) {
	for _, of := range [...]*map[K]V{&t.young, &t.old} {
		kept := make(map[K]V)
		for k, v := range *of {
			if !which(k, v) {
				kept[k] = v
			}
		}
		*of = kept
	}
}

// set remembers something of a name.
func (t *table[K, V]) set(k K, v V) {
	if len(t.young) >= cmp.Or(t.most, mostNames) {
		t.young, t.old = nil, t.young
	}
	if t.young == nil {
		t.young = make(map[K]V)
	}
	t.young[k] = v
}
