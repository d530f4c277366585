package dissect

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
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
	sink     Sink
	opts     Options
	tracker  *flow.Tracker
	one      decoded // of Frame
	flow     flow.Frame
	view     FrameView
	scratch  rpcrdma.Header
	loose    Message // a message that belongs to no RPC
	oldest   *RPC    // the unanswered calls of all connections, by age
	youngest *RPC
	weight   int // of all of them, in octets
	free     []*RPC
	store    rpcrdma.Store // long messages of all connections
	sum      Summary
}

// New returns a Dissector that tells sink what it finds.
func New(sink Sink, opts Options) *Dissector {
	d := &Dissector{sink: sink, opts: opts}
	d.tracker = flow.NewTracker((*events)(d), flow.Options{Peek: peek})
	return d
}

// Frame takes the next frame. Nothing of it is kept by reference.
func (d *Dissector) Frame(f *capture.Frame) {
	d.one.frame = *f
	d.one.decode(d.opts.RoCEPort)
	d.process(&d.one)
}

// process takes the next frame, its headers decoded.
func (d *Dissector) process(x *decoded) {
	f := &x.frame
	d.sum.Frames++
	d.sum.Octets += int64(f.Length)
	if f.Time != 0 {
		if d.sum.First == 0 || f.Time < d.sum.First {
			d.sum.First = f.Time
		}
		d.sum.Last = max(d.sum.Last, f.Time)
	}
	v := &d.view
	*v = FrameView{Frame: f, Link: &x.link, faulty: x.faulty}
	if x.rdma {
		d.infiniband(x, v)
	} else {
		d.sum.NotRDMAFrames++
	}
	if v.Faulty() {
		d.sum.MalformedFrames++
	}
	d.sink.Frame(v)
}

// infiniband takes a frame that carries the InfiniBand transport.
func (d *Dissector) infiniband(x *decoded, v *FrameView) {
	v.IB = &x.ib
	v.ICRC, v.Computed, v.Carried = x.icrc, x.computed, x.carried
	if v.ICRC == ICRCWrong {
		d.sum.BadICRC++
	}
	f := &d.flow
	f.Ref.File, f.Ref.Number = x.frame.File, x.frame.Number
	f.Time, f.Octets = x.frame.Time, x.frame.Length
	f.ICRC, f.HasICRC, f.BadICRC = x.carried, v.ICRC != ICRCUnchecked, v.ICRC == ICRCWrong
	f.Link, f.IB = &x.link, &x.ib
	v.Verdict = d.tracker.Frame(f)
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
