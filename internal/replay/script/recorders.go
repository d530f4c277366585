package script

import (
	"errors"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// Recorders keep the connections of a capture that carry RPC-over-RDMA, the first most of them. It
// is to be the Sink, DataSink and AccessSink of a Dissector, as a Recorder is.
type Recorders struct {
	opts   Options
	most   int
	shared *shared
	list   []*Recorder
	of     map[*dissect.Connection]*Recorder
	// rest notes the connections over most: it records none.
	rest *Recorder
}

// NewRecorders returns Recorders of at most so many connections. Options.Connection is not looked at.
func NewRecorders(o Options, most int) *Recorders {
	o.Connection = none
	rest := NewRecorder(o)
	return &Recorders{opts: o, most: most, shared: rest.shared, of: make(map[*dissect.Connection]*Recorder), rest: rest}
}

// none is the Options.Connection that no connection has.
const none = -1

// recorder is that of a connection, which speaks RPC-over-RDMA.
func (r *Recorders) recorder(c *dissect.Connection) *Recorder {
	if one := r.of[c]; one != nil {
		return one
	}
	one := r.rest
	if len(r.list) < r.most {
		o := r.opts
		o.Connection = c.ID
		one = newRecorder(o, r.shared)
		r.list = append(r.list, one)
		r.of[c] = one
	}
	return one
}

// Err is why nothing more is recorded, a *TooLarge, nil if nothing is wrong.
func (r *Recorders) Err() error { return r.shared.err }

// Flush has nothing to do, as that of a Recorder.
func (r *Recorders) Flush() error { return r.Err() }

// Finish has nothing to do either.
func (r *Recorders) Finish(dissect.Summary, time.Duration) error { return r.Err() }

// Connection notes how a connection was made when it is over.
func (r *Recorders) Connection(c *dissect.Connection, final bool) {
	if !final {
		return
	}
	if one := r.of[c]; one != nil {
		one.Connection(c, final)
		delete(r.of, c)
	} else {
		r.rest.Connection(c, final)
	}
}

// Frame counts frames whose ICRC is wrong.
func (r *Recorders) Frame(v *dissect.FrameView) {
	if one := r.of[v.Connection]; one != nil {
		one.Frame(v)
	}
}

// Message keeps a message.
func (r *Recorders) Message(m *dissect.Message) { r.recorder(m.Connection).Message(m) }

// Moved keeps bytes that an RDMA Read or Write moved.
func (r *Recorders) Moved(of *dissect.RPC, region *rpcrdma.Region, at uint64, data []byte) {
	if one := r.of[of.Connection]; one != nil {
		one.Moved(of, region, at, data)
	}
}

// Access keeps an RDMA Read or Write.
func (r *Recorders) Access(a *dissect.Access) {
	if one := r.of[a.Connection]; one != nil {
		one.Access(a)
	}
}

// RPC joins call and reply.
func (r *Recorders) RPC(of *dissect.RPC) {
	if one := r.of[of.Connection]; one != nil {
		one.RPC(of)
	}
}

// Conversations are what was recorded, in the order in which the connections carried their first message.
// Message.Order counts over all of them. LeftOut are the connections that are not among them.
func (r *Recorders) Conversations() (list []*Conversation, leftOut []Other, err error) {
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	for _, one := range r.list {
		c, err := one.Conversation()
		if err != nil {
			return nil, nil, fmt.Errorf("connection %d: %w", one.opts.Connection, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, nil, errors.New("no connection in the capture carries RPC-over-RDMA that can be read")
	}
	return list, r.rest.c.Others, nil
}
