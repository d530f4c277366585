// Package series counts what goes over connections in the course of time, for the charts of the
// page: in bins that become wider as time goes on, so that a connection costs no more for lasting long.
package series

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

const (
	// seriesBins is how many bins a series has at most: when they are full, two
	// become one.
	seriesBins = 512
	// firstWidth is how long a bin is at first, in nanoseconds.
	firstWidth = 1_000_000
	// OpenAtOnce bounds the connections that are counted at a time, and keptSeries
	// those of the page: first those with findings, then those with more RPCs.
	OpenAtOnce, keptSeries = 512, 64
)

// A Series counts what goes over a connection in the course of time.
type Series struct {
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
func (s *Series) at(ns int64) *bin {
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
func (s *Series) narrow(times int) {
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

// Again counts a frame that was sent again.
func (s *Series) Again(ns int64) {
	if b := s.at(ns); b != nil {
		b.retransmissions++
	}
}

// Failed counts an RPC that the reply says has failed.
func (s *Series) Failed(ns int64) {
	if b := s.at(ns); b != nil {
		b.errors++
	}
}

// Failing reports whether a reply says that the call has failed.
func Failing(r *dissect.RPC) bool {
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
