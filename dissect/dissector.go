package dissect

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Options are what a Dissector can be told.
type Options struct {
	// RoCEPort is a UDP port that carries RoCEv2 beside 4791; 0 for none.
	RoCEPort uint16
	// IWARPPort is a TCP port that carries iWARP beside 20049; 0 for none.
	// Streams whose MPA set-up was captured are found on any port.
	IWARPPort uint16
	// Units keeps the MPA frames and FPDUs of each frame for whoever shows
	// them.
	Units bool
	// Bindings decode arguments and results; nil for those of NFS.
	Bindings *Bindings
	// Data receives what RDMA moves for RPCs; nil if nobody wants it.
	Data DataSink
	// Accesses receives each RDMA operation; nil if nobody wants them.
	Accesses AccessSink
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
	bindings *Bindings
	access   Access // that is told
	sum      Summary
}

// New returns a Dissector that tells sink what it finds.
func New(sink Sink, opts Options) *Dissector {
	d := &Dissector{sink: sink, opts: opts, bindings: opts.Bindings}
	if d.bindings == nil {
		d.bindings = new(Bindings)
	}
	d.tracker = flow.NewTracker((*events)(d), flow.Options{Peek: peek, IWARPPort: opts.IWARPPort, Units: opts.Units})
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
	switch {
	case x.rdma:
		d.infiniband(x, v)
	case x.link.Transport == link.TCP && d.tcp(x, v):
	default:
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
	f.ICRC, f.HasICRC, f.BadICRC = x.carried, v.ICRC != ICRCUnchecked, v.ICRC == ICRCWrong
	f.IB = &x.ib
	d.follow(x, v)
}

// tcp takes a frame that carries TCP, and reports whether that carries iWARP as
// far as is known by now.
func (d *Dissector) tcp(x *decoded, v *FrameView) bool {
	data, p := x.frame.Data, &x.link
	f := &d.flow
	f.IB = nil
	at := min(p.TCP.Data, len(data))
	f.Payload, f.PayloadLength = data[at:max(at, min(p.End, len(data)))], max(0, p.End-p.TCP.Data)
	d.follow(x, v)
	return v.Verdict.Conn != nil
}

// follow gives the frame to the tracker.
func (d *Dissector) follow(x *decoded, v *FrameView) {
	f := &d.flow
	f.Ref.File, f.Ref.Number = x.frame.File, x.frame.Number
	f.Time, f.Octets = x.frame.Time, x.frame.Length
	f.Link = &x.link
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
