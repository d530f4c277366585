package dissect

import (
	"cmp"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/shed"
)

// Connections that are not followed any more are let go: nothing is reported of what was
// open on them, for nobody knows what became of it. If their frames are followed again
// later, that is a connection whose capture began late, and of what was open when it
// began nothing is reported either.

// idleTime is for how long a connection had no frame that is let go before others are.
const idleTime = 30 * time.Second

// longCall is for how long after a connection was taken in again replies to calls may come
// that were sent before.
const longCall = 30 * time.Second

// readFollowed is batch.read without the frames that are shed: there may be none in the
// batch. It stands apart since whoever reads files has nothing to do with it.
func (b *batch) readFollowed(source capture.Source, ready capture.Ready, kept bool, o *Options) {
	b.frames, b.bytes, b.err, b.idle = b.frames[:0], b.bytes[:0], nil, 0
	b.order = o.Shed.Begin(time.Now())
	// The bytes of a source that keeps them count too: more would not be a batch, see epochClock.
	for size := 0; len(b.frames) < cap(b.frames) && size < batchBytes; {
		b.frames = b.frames[:len(b.frames)+1]
		x := &b.frames[len(b.frames)-1]
		if b.err = source.Next(&x.Frame); b.err != nil {
			b.frames = b.frames[:len(b.frames)-1]
			return
		}
		if o.Shed.Sheds(x, o.Link) {
			b.frames = b.frames[:len(b.frames)-1]
		} else {
			size += countedBytes(x)
			if !kept {
				at := len(b.bytes)
				b.bytes = append(b.bytes, x.Data...)
				x.Data = b.bytes[at:len(b.bytes):len(b.bytes)]
			}
			x.DecodeTransport()
			sumShort(x, o)
		}
		if ready == nil || !ready.Ready() {
			return
		}
	}
}

// obey does what is to be done before a batch.
func (d *Dissector) obey(o shed.Order) {
	if o.Below > d.below || o.Idle {
		d.newest = d.sum.Last
		d.tracker.Leave(d.upcoming())
	}
	if o.Below > d.below {
		d.letGo = true
		d.tracker.LetGo(between(d.below, o.Below))
		d.pool = pool{} // it has as much as was open at most
	}
	d.below = o.Below
	if o.Idle {
		d.letGo = true
		newest := d.Newest()
		d.tracker.LetGoConns(func(c *flow.Conn) bool { return newest-c.LastTime > int64(idleTime) })
		d.pool = pool{}
	}
}

// between are those whose bucket is from one on and below another.
func between(from, below int) flow.Between {
	return func(a, b link.Addr) bool {
		bucket := shed.Bucket(a, b)
		return from <= bucket && bucket < below
	}
}

// upcoming is the ordinal of the frame of the capture that comes next.
func (d *Dissector) upcoming() int64 {
	if d.batch != nil {
		return d.batch.first
	}
	return d.front.Frames() + 1
}

// abandonAll forgets the RPCs of a connection that was let go.
func (d *Dissector) abandonAll(c *Connection) {
	for len(c.late) > 0 {
		d.abandon(c.late[0])
	}
	c.eachHeld(d.abandon)
	for _, r := range c.unanswered() {
		d.abandon(r)
	}
}

// abandon forgets an RPC without a word.
func (d *Dissector) abandon(r *RPC) {
	c := r.Connection
	if r.open.Value != nil {
		d.remove(r)
	}
	c.waitsNoMore(r)
	if r.Call != nil {
		r.endOffer(cmp.Or(r.Reply, r.Call))
	}
	d.recycle(r)
}

// begunBefore reports whether the call of an RPC may have been sent before its connection
// was followed.
func (r *RPC) begunBefore() bool {
	c := r.Connection
	return r.Call == nil && c.Setup == flow.SetupInferred && r.Reply.First-c.FirstTime < int64(longCall)
}
