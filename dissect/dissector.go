package dissect

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Options are what a Dissector can be told.
type Options struct {
	// RoCEPort is a UDP port that carries RoCEv2 beside 4791; 0 for none.
	RoCEPort uint16
	// KeepOctets keeps the octets of each message for whoever shows them.
	KeepOctets bool
}

// A Dissector takes frames and tells its Sink what they are. Its memory is
// bounded by what is in flight.
type Dissector struct {
	sink    Sink
	opts    Options
	tracker *flow.Tracker
	link    link.Packet
	ib      rocev2.Packet
	view    FrameView
	scratch rpcrdma.Header
	loose   Message // a message that belongs to no RPC
	free    []*RPC
	sum     Summary
}

// New returns a Dissector that tells sink what it finds.
func New(sink Sink, opts Options) *Dissector {
	d := &Dissector{sink: sink, opts: opts}
	d.tracker = flow.NewTracker((*events)(d), flow.Options{Peek: peek})
	return d
}

// Frame takes the next frame.
func (d *Dissector) Frame(f *capture.Frame) {
	d.sum.Frames++
	d.sum.Octets += int64(f.Length)
	if f.Time != 0 {
		if d.sum.First == 0 || f.Time < d.sum.First {
			d.sum.First = f.Time
		}
		d.sum.Last = max(d.sum.Last, f.Time)
	}
	v := &d.view
	*v = FrameView{Frame: f, Link: &d.link}
	d.link.Decode(f.Link, f.Data, f.Length, d.opts.RoCEPort)
	switch d.link.Transport {
	case link.RoCEv2, link.RoCEv1, link.InfiniBand:
		d.infiniband(f, v)
	default:
		d.sum.NotRDMAFrames++
	}
	if v.Faulty() {
		d.sum.MalformedFrames++
	}
	d.sink.Frame(v)
}

// infiniband takes a frame that carries the InfiniBand transport.
func (d *Dissector) infiniband(f *capture.Frame, v *FrameView) {
	p := &d.link
	end := min(p.End, len(f.Data))
	d.ib.Decode(f.Data[p.Start:max(p.Start, end)], p.End-p.Start)
	v.IB = &d.ib
	if computed, carried, ok := rocev2.ICRC(f.Data, p); ok {
		v.ICRC, v.Computed, v.Carried = ICRCRight, computed, carried
		if computed != carried {
			v.ICRC = ICRCWrong
			d.sum.BadICRC++
		}
	}
	v.Verdict = d.tracker.Frame(&flow.Frame{
		Ref:     flow.Ref{File: f.File, Number: f.Number},
		Time:    f.Time,
		Octets:  f.Length,
		BadICRC: v.ICRC == ICRCWrong,
		Link:    p,
		IB:      &d.ib,
	})
	if c := v.Verdict.Conn; c != nil {
		v.Connection, _ = c.User.(*Connection)
	}
}

// Flush ends the capture: what still waits is settled and told.
func (d *Dissector) Flush() { d.tracker.Flush() }

// Summary returns the counts so far; those of connections that are still open
// come with Flush.
func (d *Dissector) Summary() Summary { return d.sum }

// peek reads from a Send what ties a reply to its call.
func peek(octets []byte) (id uint32, call, ok bool) {
	var h rpcrdma.Header
	if h.Recognise(octets) != rpcrdma.Strong || h.Proc != rpcrdma.RDMAMsg {
		return 0, false, false
	}
	call, ok = rpc.MessageType(octets[h.Length:])
	return h.XID, call, ok
}
