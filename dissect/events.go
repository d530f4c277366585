package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// events is the Dissector as the flow.Sink of its tracker.
type events Dissector

// Opened makes the state of a new connection.
func (e *events) Opened(c *flow.Conn) {
	e.conns++
	e.sum.Connections++
	e.sum.NotRDMAFrames -= c.Before
	made := &Connection{
		Conn:     c,
		bindings: e.bindings,
		ledger:   *rpcrdma.NewLedger(&e.store),
		calls:    make(map[callKey]*RPC),
	}
	made.history.answered = e.pool.pastCalls()
	if e.opts.Data != nil {
		made.ledger.Moved = e.moved
	}
	c.User = made
}

// Send takes one Send: an RPC-over-RDMA message, or another protocol's.
func (e *events) Send(fc *flow.Conn, s *flow.Send) {
	c := fc.User.(*Connection)
	c.refresh()
	if c.protocol == unknown {
		c.setUp()
	}
	if c.protocol == unknown && c.recognises(e.scratch.Recognise(s.Bytes)) {
		c.protocol = rpcRDMA
		c.Service = "NFS/RDMA"
	}
	if c.protocol != rpcRDMA {
		return
	}
	d := (*Dissector)(e)
	d.message(c, s)
}

// Write takes a packet or segment of an RDMA Write.
func (e *events) Write(fc *flow.Conn, w *flow.Write) {
	c := fc.User.(*Connection)
	c.ledger.Now = w.Time
	o, region := c.ledger.Push(w.From.Peer(), w.Handle, w.Offset, w.Length, w.Bytes)
	if o != nil {
		r := o.Owner.(*RPC)
		r.carried(w.Frames)
		r.places(w.Time)
	}
	if e.opts.Accesses != nil {
		// Field by field, or it would be made first and then copied.
		a := &e.access
		a.Connection, a.From, a.Kind = c, w.From, AccessWrite
		a.Handle, a.Offset, a.Length = w.Handle, w.Offset, w.Length
		a.Point, a.Frames, a.Time, a.Place = w.Point, w.Frames, w.Time, w.Place
		a.First, a.Announced = w.Start, w.Announced
		e.accessed(region)
	}
}

// Read takes an RDMA Read request.
func (e *events) Read(fc *flow.Conn, q *flow.Read) {
	c := fc.User.(*Connection)
	c.ledger.Now = q.Time
	o, region := c.ledger.Ask(q.From.Peer(), q.Handle, q.Offset, q.Length)
	if o != nil {
		r := o.Owner.(*RPC)
		r.carried(q.Frames)
		r.asks(q.Time)
	}
	if e.opts.Accesses != nil {
		a := &e.access
		a.Connection, a.From, a.Kind = c, q.From, AccessRead
		a.Handle, a.Offset, a.Length = q.Handle, q.Offset, int(q.Length)
		a.Point, a.Frames, a.Time, a.Place = q.Point, q.Frames, q.Time, q.Place
		a.First, a.Announced = true, q.Length
		e.accessed(region)
	}
}

// ReadData takes a packet or segment of the response to an RDMA Read.
func (e *events) ReadData(fc *flow.Conn, q *flow.Read, data *flow.ReadData) {
	c := fc.User.(*Connection)
	c.ledger.Now = q.Time
	o, region := c.ledger.Pull(q.From.Peer(), q.Handle, q.Offset+data.At, data.Length, data.Bytes)
	if o != nil {
		r := o.Owner.(*RPC)
		r.carried(data.Frames)
		r.brings(data.Time)
	}
	if e.opts.Accesses != nil {
		a := &e.access
		a.Connection, a.From, a.Kind = c, q.From, AccessReadData
		a.Handle, a.Offset, a.Length = q.Handle, q.Offset+data.At, data.Length
		a.Point, a.Frames, a.Time, a.Place = q.Point, data.Frames, data.Time, q.Place
		a.First, a.Announced = data.At == 0, q.Length
		e.accessed(region)
	}
}

// moved hands on bytes of a chunk.
func (e *events) moved(o *rpcrdma.Offer, segment *rpcrdma.Region, at uint64, data []byte) {
	e.opts.Data.Moved(o.Owner.(*RPC), segment, at, data)
}

// FrameDone gives up on RPCs that have waited long enough for what is missing.
func (e *events) FrameDone(fc *flow.Conn) {
	c := fc.User.(*Connection)
	c.refresh()
	if c.pace.unacked[0] != nil || c.pace.unacked[1] != nil {
		c.noteAcknowledged()
	}
	if !c.shown && (c.Established || c.Setup == flow.SetupInferred && !c.OneWay()) {
		(*Dissector)(e).announce(c)
	}
	if c.held != nil {
		(*Dissector)(e).taken(c)
	}
	for len(c.late) > 0 && c.late[0].due <= fc.Frames {
		(*Dissector)(e).finish(c.late[0], 0)
	}
}

// Closed reports what is left of a connection, and how it ended.
func (e *events) Closed(fc *flow.Conn) {
	c := fc.User.(*Connection)
	d := (*Dissector)(e)
	d.conns--
	if fc.LetGo {
		d.abandonAll(c)
	}
	for len(c.late) > 0 {
		d.finish(c.late[0], 0)
	}
	c.eachHeld(func(r *RPC) { d.finish(r, 0) })
	c.refusals.addRefusals(c.TerminatedBy, c.history.terminated(fc))
	end := EndedByConnection
	if fc.Ousted {
		end = EndedByBounds
	}
	for _, r := range c.unanswered() {
		d.finish(r, end)
	}
	c.setUp()
	d.announce(c)
	d.sum.Retransmissions += c.Retransmissions
	d.sum.LostInCapture += c.LostInCapture
	d.sum.LostOnWire += c.LostOnWire
	d.sum.BadCRC += c.BadCRC
	d.sum.Duplicates += c.Duplicates
	d.sum.Reordered += c.Reordered
	d.sink.Connection(c, true)
	d.pool.forget(&c.history)
}

// announce reports a connection once, before anything that names it.
func (d *Dissector) announce(c *Connection) {
	if c.shown {
		return
	}
	c.shown = true
	c.setUp()
	d.sink.Connection(c, false)
}
