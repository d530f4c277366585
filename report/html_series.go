package report

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/page"
)

const (
	// seriesBins is how many bins a series has at most: when they are full, two
	// become one.
	seriesBins = 512
	// firstWidth is how long a bin is at first, in nanoseconds.
	firstWidth = 1_000_000
	// openSeries bounds the connections that are counted at a time, and keptSeries
	// those of the page: first those with findings, then those with more RPCs.
	openSeries, keptSeries = 512, 64
)

// A series counts what goes over a connection in the course of time.
type series struct {
	from, width int64 // nanoseconds since 1970, and of a bin
	bins        []bin
}

// A bin is what was counted in a stretch of time.
type bin struct {
	grantedMin, grantedMax uint32 // by the server, if granted
	asked, used            uint32 // the most
	granted, called        bool
	calls, replies         uint32
	retransmissions        uint32
	errors                 uint32
	in, out, read, write   uint64 // octets
}

// at is the bin of a time, nil for a frame without a time.
func (s *series) at(ns int64) *bin {
	if s == nil || ns == 0 {
		return nil
	}
	if len(s.bins) == 0 {
		s.from, s.width = ns, firstWidth
	}
	n := max(0, (ns-s.from)/s.width) // what is told late may come before the first
	for n >= seriesBins {
		s.halve()
		n = (ns - s.from) / s.width
	}
	for int(n) >= len(s.bins) {
		s.bins = append(s.bins, bin{})
	}
	return &s.bins[n]
}

// halve makes one bin of two.
func (s *series) halve() {
	half := (len(s.bins) + 1) / 2
	for n := range half {
		b := s.bins[2*n]
		if 2*n+1 < len(s.bins) {
			b.join(&s.bins[2*n+1])
		}
		s.bins[n] = b
	}
	s.bins = s.bins[:half]
	s.width *= 2
}

func (b *bin) join(o *bin) {
	if o.granted {
		b.grant(o.grantedMin)
		b.grant(o.grantedMax)
	}
	b.called = b.called || o.called
	b.asked, b.used = max(b.asked, o.asked), max(b.used, o.used)
	b.calls += o.calls
	b.replies += o.replies
	b.retransmissions += o.retransmissions
	b.errors += o.errors
	b.in += o.in
	b.out += o.out
	b.read += o.read
	b.write += o.write
}

func (b *bin) grant(credits uint32) {
	if !b.granted {
		b.grantedMin, b.grantedMax, b.granted = credits, credits, true
	}
	b.grantedMin, b.grantedMax = min(b.grantedMin, credits), max(b.grantedMax, credits)
}

// message counts a message.
func (s *series) message(m *dissect.Message) {
	b := s.at(m.Last)
	if b == nil {
		return
	}
	c := m.Connection
	toServer := m.ToServer()
	if toServer {
		b.in += uint64(m.Length)
	} else {
		b.out += uint64(m.Length)
	}
	const fixed = 16 // octets of the words that every header has
	switch r := m.RPC(); {
	case r == nil || r.Requester != c.ClientEnd:
	case m == r.Call:
		b.calls++
		b.called = true
		if m.Header.Length >= fixed {
			b.asked = max(b.asked, m.Header.Credits)
		}
		b.used = max(b.used, uint32(c.Outstanding(r.Requester)+1))
	default:
		b.replies++
		b.called = true
		b.used = max(b.used, uint32(max(1, c.Outstanding(r.Requester))))
		if m.Header.Length >= fixed {
			b.grant(m.Header.Credits)
		}
	}
}

// access counts octets that RDMA moves.
func (s *series) access(a *dissect.Access) {
	if a.Kind == dissect.AccessRead {
		return
	}
	if b := s.at(a.Time); b == nil {
		return
	} else if a.Kind == dissect.AccessWrite {
		b.write += uint64(a.Length)
	} else {
		b.read += uint64(a.Length)
	}
}

// seriesOf is the series of a connection, nil if there are too many.
func (h *HTML) seriesOf(c *dissect.Connection) *series {
	s := h.stateOf(c)
	if s.series == nil && !s.uncounted {
		if h.counting >= openSeries {
			s.uncounted = true
			h.uncounted++
			return nil
		}
		h.counting++
		s.series = new(series)
		if n := len(h.bins); n > 0 {
			s.series.bins, h.bins = h.bins[n-1], h.bins[:n-1]
		}
	}
	return s.series
}

// again counts frames that were sent again.
func (h *HTML) again(v *dissect.FrameView) {
	if n := v.Verdict.Note; n == flow.Retransmission || n == flow.LostOnWire {
		if b := h.seriesOf(v.Connection).at(v.Frame.Time); b != nil {
			b.retransmissions++
		}
	}
}

// failed counts an RPC that the reply says has failed.
func (h *HTML) failed(r *dissect.RPC) {
	if r.Reply == nil || r.Reverse() || !failing(r) {
		return
	}
	if b := h.seriesOf(r.Connection).at(r.Reply.Last); b != nil {
		b.errors++
	}
}

// failing reports whether a reply says that the call has failed.
func failing(r *dissect.RPC) bool {
	s := r.ReplyHeader()
	if s == nil {
		return r.Reply.Header.Proc == rpcrdma.RDMAError
	}
	if s.Status() != "SUCCESS" {
		return true
	}
	name, ok := r.Status()
	return name != "" && !ok
}

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

// page is the series for the page.
func (s *series) page(from int64) page.Series {
	p := page.Series{From: from, Width: s.width}
	add := func(name string, of func(b *bin) int64) {
		c := page.SeriesColumn{Name: name, Values: make([]int64, len(s.bins))}
		for n := range s.bins {
			c.Values[n] = of(&s.bins[n])
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
