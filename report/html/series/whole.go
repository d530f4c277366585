package series

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/rocev2"
)

// wholeBins is how many bins the picture of a capture has at most.
const wholeBins = 1024

// A Whole counts what goes over all connections of a capture in the course of time, for the picture at the head of the page.
type Whole struct{ binned[wholeBin] }

// A wholeBin is what was counted in a stretch of time.
type wholeBin struct {
	toServer, toClient uint64 // bytes of Sends, RDMA Reads and RDMA Writes
	signs              [signs]uint32
	errors             uint32
}

// NewWhole returns a Whole that has counted nothing.
func NewWhole() *Whole {
	return &Whole{binned[wholeBin]{most: wholeBins, join: (*wholeBin).join}}
}

func (b *wholeBin) join(o *wholeBin) {
	b.toServer += o.toServer
	b.toClient += o.toClient
	for i := range b.signs {
		b.signs[i] += o.signs[i]
	}
	b.errors += o.errors
}

// Count counts bytes that a message, or RDMA, moved.
func (w *Whole) Count(x *Count) {
	if x.kind == countNothing {
		return
	}
	switch b := w.at(x.time); {
	case b == nil:
	case x.toServer:
		b.toServer += uint64(x.bytes)
	default:
		b.toClient += uint64(x.bytes)
	}
}

// Saw counts a frame that says something of the network.
func (w *Whole) Saw(s Sign, ns int64) {
	if b := w.at(ns); b != nil {
		b.signs[s]++
	}
}

// Failed counts an RPC that the reply says has failed.
func (w *Whole) Failed(ns int64) {
	if b := w.at(ns); b != nil {
		b.errors++
	}
}

// Page is what was counted, for the page, whose times count from start in nanoseconds since 1970; not ok if that is nothing.
func (w *Whole) Page(start int64) (p page.Series, ok bool) {
	if len(w.bins) == 0 {
		return p, false
	}
	p = page.Series{From: w.from - start, Width: w.width}
	add := func(name string, of func(*wholeBin) int64) {
		p.Columns = append(p.Columns, page.SeriesColumn{Name: name, Values: w.values(of)})
	}
	add("to_server", func(b *wholeBin) int64 { return int64(b.toServer) })
	add("to_client", func(b *wholeBin) int64 { return int64(b.toClient) })
	for s := range signs {
		if s != NoSign {
			add(s.String(), func(b *wholeBin) int64 { return int64(b.signs[s]) })
		}
	}
	add("errors", func(b *wholeBin) int64 { return int64(b.errors) })
	return p, true
}

// A Sign is what a frame says of the network.
type Sign uint8

const (
	NoSign        Sign = iota
	Retransmitted      // it was sent before
	LostBefore         // it was sent before, and the first one was lost before it reached the capture
	NAK                // that is no RNR NAK
	RNR                // a receiver-not-ready NAK
	CNP                // a congestion notification
	PausesPort         // PFC or PAUSE
	signs
)

// String is what the page calls it.
func (s Sign) String() string {
	return [...]string{"", "retransmissions", "lost", "naks", "rnr_naks", "cnps", "pauses"}[s]
}

// SignOf is what a frame says of the network. Of frames that belong to a connection it receives those of
// RPC-over-RDMA.
func SignOf(v *dissect.FrameView) Sign {
	if v.Link.Pauses() {
		return PausesPort
	}
	if c := v.Connection; c != nil && !c.RPCRDMA() {
		return NoSign
	}
	switch {
	case v.IB != nil && v.IB.OpCode.Kind() == rocev2.KindCNP:
		return CNP
	case v.Connection == nil:
		return NoSign
	}
	switch v.Verdict.Note {
	case flow.Retransmission:
		return Retransmitted
	case flow.LostOnWire:
		return LostBefore
	case flow.Duplicate, flow.Stale, flow.Corrupt:
		return NoSign
	}
	if v.IB != nil && v.IB.OpCode.Kind() == rocev2.KindAcknowledge && v.IB.AETH() != 0 {
		switch s := v.IB.Syndrome(); {
		case s.IsNAK():
			return NAK
		case s.IsRNR():
			return RNR
		}
	}
	return NoSign
}
