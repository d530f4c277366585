package report

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/page"
)

// A keptOne is the series of a connection that is over.
type keptOne struct {
	connection  int
	worst, rpcs int64
	page.Series
}

// keepSeries keeps the series of a connection that is over, if it is one of those
// that tell most.
func (h *HTML) keepSeries(c *dissect.Connection, worst int64) {
	s := h.stateOf(c).series
	if s == nil {
		return
	}
	h.counting--
	defer func() {
		const spare = 16
		if len(h.bins) < spare {
			h.bins = append(h.bins, s.bins[:0]) // for another
		}
	}()
	if c.RPCs == 0 || len(s.bins) == 0 {
		return
	}
	one := keptOne{connection: c.ID, worst: worst, rpcs: c.RPCs}
	if len(h.kept) == keptSeries {
		last := h.kept[len(h.kept)-1]
		if compareKept(one, last) >= 0 {
			h.uncounted++
			return
		}
		h.uncounted++
		h.kept = h.kept[:len(h.kept)-1]
	}
	one.Series = s.page(h.since(s.from))
	one.Connection = c.ID
	at, _ := slices.BinarySearchFunc(h.kept, one, compareKept)
	h.kept = slices.Insert(h.kept, at, one)
}

func compareKept(a, b keptOne) int {
	return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(b.rpcs, a.rpcs), cmp.Compare(a.connection, b.connection))
}

// page is the series for the page; something was counted in it.
func (s *series) page(from int64) page.Series {
	p := page.Series{From: from, Width: s.width}
	count := s.bins[len(s.bins)-1].number + 1
	add := func(name string, of func(b *bin) int64) {
		c := page.SeriesColumn{Name: name, Values: slices.Repeat([]int64{of(&bin{})}, int(count))}
		for i := range s.bins {
			c.Values[s.bins[i].number] = of(&s.bins[i])
		}
		p.Columns = append(p.Columns, c)
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
