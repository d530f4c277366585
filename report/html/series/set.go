package series

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/page"
)

// A Set is the series of a capture: of connections that are counted, and of those that are over
// and tell most.
type Set struct {
	counting int   // connections whose series are counted
	leftOut  int64 // connections that have no series
	kept     []keptOne
	bins     [][]numbered[bin] // of series that are over, for others
}

// A keptOne is the series of a connection that is over.
type keptOne struct {
	connection  int
	worst, rpcs int64
	page.Series
}

// Open begins the series of a connection, nil if there are too many.
func (x *Set) Open() *Series {
	if x.counting >= OpenAtOnce {
		x.leftOut++
		return nil
	}
	x.counting++
	s := newSeries()
	if n := len(x.bins); n > 0 {
		s.bins, x.bins = x.bins[n-1], x.bins[:n-1]
	}
	return s
}

// Keep keeps the series of a connection that is over, if it is one of those that tell most. Times
// of the page count from start, in nanoseconds since 1970.
func (x *Set) Keep(s *Series, c *dissect.Connection, worst, start int64) {
	if s == nil {
		return
	}
	x.counting--
	defer func() {
		const spare = 16
		if len(x.bins) < spare {
			x.bins = append(x.bins, s.bins[:0]) // for another
		}
	}()
	if c.RPCs == 0 || len(s.bins) == 0 {
		return
	}
	one := keptOne{connection: c.ID, worst: worst, rpcs: c.RPCs}
	if len(x.kept) == keptSeries {
		last := x.kept[len(x.kept)-1]
		x.leftOut++
		if compareKept(one, last) >= 0 {
			return
		}
		x.kept = x.kept[:len(x.kept)-1]
	}
	one.Series = s.page(s.from - start)
	one.Connection = c.ID
	at, _ := slices.BinarySearchFunc(x.kept, one, compareKept)
	x.kept = slices.Insert(x.kept, at, one)
}

// Kept gives each series that is kept to put, first those of connections that tell most.
func (x *Set) Kept(put func(*page.Series)) {
	for i := range x.kept {
		put(&x.kept[i].Series)
	}
}

// LeftOut is how many connections have no series.
func (x *Set) LeftOut() int64 { return x.leftOut }

func compareKept(a, b keptOne) int {
	return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(b.rpcs, a.rpcs), cmp.Compare(a.connection, b.connection))
}

// page is the series for the page; something was counted in it.
func (s *Series) page(from int64) page.Series {
	p := page.Series{From: from, Width: s.width}
	add := func(name string, of func(b *bin) int64) {
		p.Columns = append(p.Columns, page.SeriesColumn{Name: name, Values: s.values(of)})
	}
	known := func(is bool, v uint32) int64 {
		if !is {
			return -1
		}
		return int64(v)
	}
	add("granted_min", func(b *bin) int64 { return known(b.granted, b.grantedMin) })
	add("granted_max", func(b *bin) int64 { return known(b.granted, b.grantedMax) })
	add("used_max", func(b *bin) int64 { return known(b.called, b.used) })
	add("asked", func(b *bin) int64 { return known(b.asked > 0, b.asked) })
	add("calls", func(b *bin) int64 { return int64(b.calls) })
	add("replies", func(b *bin) int64 { return int64(b.replies) })
	add("send_in", func(b *bin) int64 { return int64(b.in) })
	add("send_out", func(b *bin) int64 { return int64(b.out) })
	add("read", func(b *bin) int64 { return int64(b.read) })
	add("write", func(b *bin) int64 { return int64(b.write) })
	add("retransmissions", func(b *bin) int64 { return int64(b.retransmissions) })
	add("errors", func(b *bin) int64 { return int64(b.errors) })
	return p
}
