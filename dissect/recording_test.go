package dissect_test

import (
	"net/netip"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// recording is a Sink that keeps copies of all it is told.
type recording struct {
	rpcs        []rpcRecord
	connections []connectionRecord
	summary     dissect.Summary
}

type rpcRecord struct {
	connection                  int
	xid                         uint32
	reverse                     bool
	call, reply                 *rpcrdma.Header
	callRPCLength, replyLength  uint64
	callTransfer, replyTransfer dissect.Transfer
	program, procedure          uint32
	status                      string
	frames                      []int64
	readBytes, writeBytes       uint64
	complete                    bool
	missing                     string
}

type connectionRecord struct {
	id             int
	client, server netip.AddrPort
	thresholds     rpcrdma.Thresholds
	known          bool
	setup          flow.Setup
	closing        flow.Closing
	service        string
	counters       flow.Counters
	messages       int64
}

func (r *recording) Connection(c *dissect.Connection, final bool) {
	if !final {
		return
	}
	th, known := c.Thresholds()
	rec := connectionRecord{
		id:         c.ID,
		client:     netip.AddrPortFrom(c.Client().Addr.IP(), c.Client().Port),
		server:     netip.AddrPortFrom(c.Server().Addr.IP(), c.Server().Port),
		thresholds: th,
		known:      known,
		setup:      c.Setup,
		closing:    c.Closing,
		service:    c.Service,
		counters:   c.Counters,
		messages:   c.Messages,
	}
	r.connections = append(r.connections, rec)
	slices.SortFunc(r.connections, func(a, b connectionRecord) int { return a.id - b.id })
}

func (r *recording) Frame(*dissect.FrameView)   {}
func (r *recording) Message(m *dissect.Message) {}

func (r *recording) RPC(x *dissect.RPC) {
	rec := rpcRecord{
		connection: x.Connection.ID, xid: x.XID, reverse: x.Reverse(),
		readBytes: x.Offer.ReadBytes, writeBytes: x.Offer.WriteBytes,
		complete: x.Complete, missing: x.Missing,
	}
	if m := x.Call; m != nil {
		rec.call, rec.callRPCLength, rec.callTransfer = clone(&m.Header), m.RPCLength, m.Transfer
	}
	if m := x.Reply; m != nil {
		rec.reply, rec.replyLength, rec.replyTransfer = clone(&m.Header), m.RPCLength, m.Transfer
	}
	if c := x.CallHeader(); c != nil {
		rec.program, rec.procedure = c.Program, c.Procedure
	}
	if s := x.ReplyHeader(); s != nil {
		rec.status = s.Status()
	}
	for _, f := range x.Frames {
		rec.frames = append(rec.frames, f.Number)
	}
	r.rpcs = append(r.rpcs, rec)
}

// clone copies what a header says, its lists too, so that two of them can be
// compared; an empty list is nil in it.
func clone(h *rpcrdma.Header) *rpcrdma.Header {
	return &rpcrdma.Header{
		XID: h.XID, Version: h.Version, Credits: h.Credits, Proc: h.Proc,
		Align: h.Align, Thresh: h.Thresh,
		Reads:    append([]rpcrdma.ReadSegment(nil), h.Reads...),
		Writes:   append([]rpcrdma.Chunk(nil), h.Writes...),
		Reply:    h.Reply,
		HasReply: h.HasReply,
		Segments: append([]rpcrdma.Segment(nil), h.Segments...),
		Error:    h.Error, VersLow: h.VersLow, VersHigh: h.VersHigh,
		Length: h.Length, Fault: h.Fault,
	}
}
