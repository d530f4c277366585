// Package series counts what goes over connections in the course of time, for the charts of the
// page: in bins that become wider as time passes, so that a connection costs no more for lasting long.
package series

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

const (
	// seriesBins is how many bins a series has at most: when they are full, two
	// become one.
	seriesBins = 512
	// OpenAtOnce bounds the connections that are counted at a time, and keptSeries
	// those of the page: first those with findings, then those with more RPCs.
	OpenAtOnce, keptSeries = 512, 64
)

// A Series counts what goes over a connection in the course of time.
type Series struct{ binned[bin] }

func newSeries() *Series {
	return &Series{binned[bin]{most: seriesBins, join: (*bin).join}}
}

// A bin is what was counted in a stretch of time.
type bin struct {
	grantedMin, grantedMax uint32 // by the server, if granted
	asked, used            uint32 // the most
	granted, called        bool
	calls, replies         uint32
	retransmissions        uint32
	errors                 uint32
	in, out, read, write   uint64 // bytes
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

// Again counts a frame that was retransmitted.
func (s *Series) Again(ns int64) {
	if s == nil {
		return
	}
	if b := s.at(ns); b != nil {
		b.retransmissions++
	}
}

// Failed counts an RPC that the reply says has failed.
func (s *Series) Failed(ns int64) {
	if s == nil {
		return
	}
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
