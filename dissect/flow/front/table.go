package front

// mostNames is how many names a table remembers at least, those used last.
const mostNames = 1 << 17

// A table remembers names that were used lately: as many again as mostNames at most.
type table[K comparable, V any] struct {
	young, old map[K]V
}

// find is what is remembered of a name.
func (t *table[K, V]) find(k K) (v V, ok bool) {
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
	if len(t.young) >= mostNames {
		t.young, t.old = nil, t.young
	}
	if t.young == nil {
		t.young = make(map[K]V)
	}
	t.young[k] = v
}
