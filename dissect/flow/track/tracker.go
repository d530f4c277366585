package track

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/qp"
	"github.com/rdmacap/rdmacap/dissect/flow/tcp"
)

// Options are what a Tracker can be told.
type Options struct {
	// Peek reads from the front of a Send what ties a reply to its call, if it
	// is such a message: an identifier and which of the two it is. It helps to
	// pair the two directions of a connection whose set-up was not captured.
	Peek func(octets []byte) (id uint32, call, ok bool)
	// IWARPPort is a TCP port that carries iWARP beside 20049; 0 for none.
	IWARPPort uint16
	// Units asks for the MPA frames and FPDUs of each frame.
	Units bool
}

// A Tracker finds the connections in a stream of frames. It keeps what is in
// flight, and nothing of connections that ended but a short mark.
type Tracker struct {
	connections *flow.Connections
	queuePairs  *qp.Tracker
	tcp         *tcp.Tracker
}

// NewTracker returns a Tracker that tells sink what it finds.
func NewTracker(sink flow.Sink, opts Options) *Tracker {
	all := &flow.Connections{Shared: &flow.Shared{Sink: sink}}
	return &Tracker{all, qp.New(all, opts.Peek), tcp.New(all, opts.IWARPPort, opts.Units)}
}

// Frame takes the next frame, decoded, which carries the InfiniBand transport or
// TCP, and says in v, which is zero before, what it made of it. Nothing of the frame
// is kept by reference beyond the call.
func (t *Tracker) Frame(f *flow.Frame, v *flow.Verdict) {
	if f.HasIB() {
		t.queuePairs.Frame(f, v)
	} else {
		t.tcp.Frame(f, v)
	}
}

// Flush ends the capture: everything that still waits is settled with what is
// there, and every connection closed in the order of its number.
func (t *Tracker) Flush() {
	t.queuePairs.Flush()
	t.tcp.Flush()
	t.connections.CloseAll()
}
