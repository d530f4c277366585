package finding

import (
	"cmp"
	"container/heap"
	"slices"
)

// A Digest gathers the findings at the root of all connections: those that say the same once, what
// hurts most first. Of these it keeps what a form makes of the worst of them, and where the others
// are, as long as there is room; what hurts more stays.
type Digest[T any] struct {
	// Room is how much all that it keeps may take, Size how much one of them does: 1 if it is nil.
	Room int64
	Size func(x *Alike[T]) int64
	// Places is of how many others that say the same the place is kept.
	Places int
	// LeftOut counts the findings that had no room, by the worst severity of each and what it explains.
	LeftOut map[Severity]int64

	alike map[string]*Alike[T]
	least leastFirst[T]
	used  int64
	order int64
}

// An Alike is a finding at the root with what it explains, and all that say the same.
type Alike[T any] struct {
	// Value is what was made of the worst, at Place; Places are those of some of the others.
	Value  T
	Place  string
	Places []string
	// N is how many say the same, Connections on how many connections.
	N, Connections int64

	severity    Severity
	rank        int
	took, count int64
	time        int64
	order       int64
	shape       string
	shows       bool
	connection  int // the last
	key         rowKey
	onPath      bool
	size        int64
	index       int // in the heap
}

// Add takes a finding at the root. Make is called if it is worse than those before that say the same, of which old
// is the value; but what shows more than words is not given up for one that does not. It returns where the finding went, nil if there was no room.
func (d *Digest[T]) Add(f *Finding, place string, shows bool, make func(old T) T) *Alike[T] {
	shape := shapeOf(f)
	x := d.alike[shape]
	if x == nil {
		if !d.takes(f) {
			d.leave(f.Worst(), 1)
			return nil
		}
		x = &Alike[T]{shape: shape, order: d.order}
		d.order++
		d.keep(x)
	}
	worse := x.N == 0 || f.Took > x.took || f.Took == x.took && f.Count > x.count
	instead := worse && (shows || !x.shows) || shows && !x.shows
	if instead {
		place, x.Place = x.Place, place
	}
	if x.N > 0 && len(x.Places) < d.Places {
		x.Places = append(x.Places, place)
	}
	x.N++
	if c := f.Connection; c != nil && c.ID != x.connection {
		x.connection = c.ID
		x.Connections++
	}
	if worse {
		x.severity, x.rank, x.took, x.count, x.time = f.Worst(), Worst(f), f.Took, f.Count, f.Time
		x.key, x.onPath = rowKeyOf(f), onPath(f)
	}
	if instead {
		x.Value, x.shows = make(x.Value), shows
	}
	d.settle(x)
	return x
}

// keep notes one that is new.
func (d *Digest[T]) keep(x *Alike[T]) {
	if d.alike == nil {
		d.alike = make(map[string]*Alike[T])
	}
	d.alike[x.shape] = x
	heap.Push(&d.least, x)
}

// settle puts one where it belongs once it has changed, and drops what there is no room for any more.
func (d *Digest[T]) settle(x *Alike[T]) {
	heap.Fix(&d.least, x.index)
	size := int64(1)
	if d.Size != nil {
		size = d.Size(x)
	}
	d.used += size - x.size
	x.size = size
	for d.used > d.Room && len(d.least) > 0 {
		drop := heap.Pop(&d.least).(*Alike[T])
		d.used -= drop.size
		delete(d.alike, drop.shape)
		d.leave(drop.severity, drop.N)
	}
}

// takes reports whether a finding that says something new would probably stay: otherwise nothing
// need be made of it.
func (d *Digest[T]) takes(f *Finding) bool {
	n := int64(len(d.least))
	if n == 0 || d.used+d.used/n <= d.Room {
		return true
	}
	least := d.least[0]
	return cmp.Or(cmp.Compare(f.Worst(), least.severity), cmp.Compare(Worst(f), least.rank)) > 0
}

func (d *Digest[T]) leave(s Severity, n int64) {
	if d.LeftOut == nil {
		d.LeftOut = make(map[Severity]int64)
	}
	d.LeftOut[s] += n
}

// Used is how much of the room is used.
func (d *Digest[T]) Used() int64 { return d.used }

// Sorted are all that were kept, what hurts most first.
func (d *Digest[T]) Sorted() []*Alike[T] {
	list := slices.Clone([]*Alike[T](d.least))
	slices.SortFunc(list, (*Alike[T]).compare)
	return list
}

// SortedFor are all that were kept: that of which the verdict speaks first, then what hurts most.
func (d *Digest[T]) SortedFor(e *Ending) []*Alike[T] {
	list := d.Sorted()
	if i := slices.IndexFunc(list, func(x *Alike[T]) bool { return e.lead.is(x.key, x.onPath) }); i > 0 {
		first := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, first)
	}
	return list
}

// compare orders them, what hurts most first.
func (x *Alike[T]) compare(o *Alike[T]) int {
	return cmp.Or(cmp.Compare(o.severity, x.severity), cmp.Compare(o.rank, x.rank), cmp.Compare(o.took, x.took), cmp.Compare(x.time, o.time),
		cmp.Compare(x.order, o.order))
}

// leastFirst is a heap whose first is what hurts least.
type leastFirst[T any] []*Alike[T]

func (l leastFirst[T]) Len() int           { return len(l) }
func (l leastFirst[T]) Less(a, b int) bool { return l[a].compare(l[b]) > 0 }

func (l leastFirst[T]) Swap(a, b int) {
	l[a], l[b] = l[b], l[a]
	l[a].index, l[b].index = a, b
}

func (l *leastFirst[T]) Push(x any) {
	one := x.(*Alike[T])
	one.index = len(*l)
	*l = append(*l, one)
}

func (l *leastFirst[T]) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	return x
}
