package report

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
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
	bins        []bin // those in which something was counted, in order
}

// A bin is what was counted in a stretch of time.
type bin struct {
	number                 int64  // of bins of the width since the start
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
	last := len(s.bins) - 1
	if last < 0 {
		s.from, s.width = ns, firstWidth
	} else if b := &s.bins[last]; ns-s.from-b.number*s.width >= 0 && ns-s.from-b.number*s.width < s.width {
		return b
	}
	n := max(0, (ns-s.from)/s.width) // what is told late may come before the first
	if n >= seriesBins {
		times := bits.Len64(uint64(n) / seriesBins)
		s.narrow(times)
		n >>= times
	}
	at := len(s.bins)
	if found := false; at > 0 && s.bins[at-1].number >= n {
		at, found = slices.BinarySearchFunc(s.bins, n, func(b bin, n int64) int { return cmp.Compare(b.number, n) })
		if found {
			return &s.bins[at]
		}
	}
	s.bins = slices.Insert(s.bins, at, bin{number: n})
	return &s.bins[at]
}

// narrow makes one bin of two, so many times.
func (s *series) narrow(times int) {
	kept := 0
	for i := range s.bins {
		b := &s.bins[i]
		if b.number >>= times; kept > 0 && s.bins[kept-1].number == b.number {
			s.bins[kept-1].join(b)
			continue
		}
		s.bins[kept] = *b
		kept++
	}
	s.bins = s.bins[:kept]
	s.width <<= times
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
