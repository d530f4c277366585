package dissect

import (
	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/front"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/rocev2"
)

// Options are what a Dissector can be told.
type Options struct {
	// Link says how to find the transport in a frame.
	Link link.Options
	// IWARPPort is a TCP port that carries iWARP beside 20049; 0 for none.
	// Streams whose MPA setup was captured are found on any port.
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
	// KeepBytes keeps the bytes of each message for whoever shows them.
	KeepBytes bool
	// Frames is called for each frame in the order of the capture, before it is
	// followed; nil if nobody looks. It may be called in another goroutine than the
	// Sink.
	Frames func(f *flow.Frame)
	// Shed has Run leave out connections while there is too much to do; nil if all are
	// followed, however long that takes.
	Shed *shed.Shedder
	// Idle brings times while Run waits for a frame. Whoever is a Ticker receives them; nil if time is that of
	// frames alone.
	Idle <-chan Idle
}

// Idle says that time went by without frames. Its times are in nanoseconds since 1970, of the clock of the capture.
type Idle struct {
	Newest int64 // of the newest frame that had come
	Now    int64 // so late it is
}

// A Dissector takes frames and tells its Sink what they are. Its memory is
// bounded by what is in flight.
type Dissector struct {
	sink     Sink
	opts     Options
	front    *front.Front
	tracker  *track.Tracker
	one      flow.Frame // of Frame
	view     FrameView
	at       flow.Ref // the last frame that the tracker was given
	batch    *batch   // of shards: the one that is taken
	newest   int64    // without shards: see Newest
	scratch  rpcrdma.Header
	conns    int            // that are open
	open     list.List[RPC] // the unanswered calls of all connections, by age
	openRPCs openRPCs
	epochs   epochClock
	pool     pool
	store    rpcrdma.Store // long messages of all connections
	bindings *Bindings
	access   Access // that is told
	below    int    // shed.Order's, of the last batch
	letGo    bool   // some connections were let go
	sum      Summary
	pauses   *pauses // nil while no frame paused a link
}

// New returns a Dissector that tells sink what it finds.
func New(sink Sink, opts Options) *Dissector {
	d := newShard(sink, opts, 1, nil)
	d.front = front.New(1, opts.IWARPPort)
	return d
}

// newShard returns a Dissector for some of the connections of a capture, one of so many. Made is told
// of each, to give it its number; if it is nil they are numbered as they come.
func newShard(sink Sink, opts Options, shards int, made func(c *flow.Conn)) *Dissector {
	d := &Dissector{sink: sink, opts: opts, bindings: opts.Bindings, epochs: epochClock{every: opts.epochFrames()}}
	if d.bindings == nil {
		d.bindings = new(Bindings)
	}
	d.tracker = track.NewTracker((*events)(d), track.Options{Peek: peek, IWARPPort: opts.IWARPPort, Units: opts.Units, Made: made, Shards: shards})
	return d
}

// Frame takes the next frame. Nothing of it is kept by reference.
func (d *Dissector) Frame(f *capture.Frame) {
	d.one.Frame = *f
	d.one.Decode(d.opts.Link)
	d.process(&d.one)
}

// process takes the next frame, its headers decoded.
func (d *Dissector) process(f *flow.Frame) {
	if d.opts.Frames != nil {
		d.opts.Frames(f)
	}
	a, _ := d.front.Arrive(f) // there is one shard: nothing is retired in another
	if f.Dropped() {
		d.tracker.Advance(&a)
		d.tracker.Dropped(f)
	}
	if f.Link.Pauses() {
		d.paused(f)
	}
	d.takeFrame(f, &a)
	if d.epochs.ends(f) {
		d.endEpoch(a.Ordinal)
	}
}

// takeFrame takes a frame of the shard.
func (d *Dissector) takeFrame(f *flow.Frame, a *front.Arrival) {
	d.newest = d.sum.Last
	d.tracker.Advance(a)
	d.sum.Frames++
	d.sum.Bytes += int64(f.Length)
	if f.Time != 0 {
		if d.sum.First == 0 || f.Time < d.sum.First {
			d.sum.First = f.Time
		}
		d.sum.Last = max(d.sum.Last, f.Time)
	}
	v := &d.view
	v.see(f)
	if d.pauses != nil {
		d.pauses.see(f)
	}
	switch {
	case v.IB != nil:
		if f.IB.Check == rocev2.ICRCWrong {
			d.sum.BadICRC++
		}
		d.follow(v, a)
	case f.Link.Transport == link.TCP:
		d.follow(v, a)
		if v.Verdict.Conn == nil {
			d.sum.NotRDMAFrames++ // as far as is known by now
		}
	default:
		d.sum.NotRDMAFrames++
	}
	if v.Faulty() {
		d.sum.MalformedFrames++
	}
	d.sink.Frame(v)
	d.pool.release()
}

// follow gives the frame to the tracker.
func (d *Dissector) follow(v *FrameView, a *front.Arrival) {
	d.at = v.Ref()
	d.tracker.Frame(v.Frame, a, &v.Verdict)
	if c := v.Verdict.Conn; c != nil {
		if v.Connection, _ = c.User.(*Connection); v.Connection != nil {
			d.paced(v)
		}
	}
}

// Flush ends the capture: what still waits is settled and told.
func (d *Dissector) Flush() {
	d.newest = d.sum.Last
	for part := range track.Flushing {
		d.tracker.Flush(part)
	}
	d.pool.release()
}

// Summary returns the counts so far; those of connections that are still open
// come with Flush.
func (d *Dissector) Summary() Summary { return d.sum }

// peek reads from a Send what ties a reply to its call.
func peek(data []byte) (id uint32, call, ok bool) {
	var h rpcrdma.Header
	if h.Recognise(data) != rpcrdma.Strong || h.Proc != rpcrdma.RDMAMsg {
		return 0, false, false
	}
	role := inlineRole(h.XID, data[h.Length:])
	return h.XID, role == RoleCall, role != RoleNone
}
