package dissect

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Sink receives what a Dissector finds. What it is handed is valid during
// the call only.
type Sink interface {
	// Connection announces a connection before anything else that names it,
	// and once more, with final, when it has ended or the capture has.
	Connection(c *Connection, final bool)
	// Frame is called for each frame, after the messages and RPCs that it
	// completed.
	Frame(v *FrameView)
	// Message is called for each RPC-over-RDMA message.
	Message(m *Message)
	// RPC is called for each RPC when its reply and all that was placed for it
	// was seen, or when it is settled that the rest will not come.
	RPC(r *RPC)
}

// A DataSink receives the bytes that RDMA Reads and Writes move for RPCs, of
// which a Dissector keeps none but those of long messages.
type DataSink interface {
	// Moved is called for bytes that belong into a segment which the call of
	// an RPC advertised, from the segment's byte at on. What they are good for
	// is known when the Sink receives the RPC, after which none come for it.
	Moved(r *RPC, segment *rpcrdma.Region, at uint64, data []byte)
}

// A FrameView is one frame with all that was made of it.
type FrameView struct {
	*flow.Frame
	// Link and IB are the headers in Frame; IB is nil if it does not carry the
	// InfiniBand transport. What a frame of iWARP completed is in Verdict.Units.
	Link *link.Packet
	IB   *rocev2.Packet
	// Verdict is the frame's place in its connection.
	Verdict flow.Verdict
	// Connection is that of the verdict, nil if none.
	Connection *Connection
	// Message is the message that the frame completed, nil if none.
	Message *Message
}

// ViewOf is a frame of which nothing is known but what its headers say.
func ViewOf(f *flow.Frame) *FrameView {
	v := new(FrameView)
	v.see(f)
	return v
}

// see makes v the view of a frame.
func (v *FrameView) see(f *flow.Frame) {
	*v = FrameView{} // and then field by field: a literal would be made elsewhere and copied
	v.Frame, v.Link = f, &f.Link
	if f.HasIB() {
		v.IB = &f.IB
	}
}

// IWARP reports whether the frame is of a TCP connection that carries iWARP.
func (v *FrameView) IWARP() bool { return v.IB == nil && v.Connection != nil }

// Faulty reports whether a header of the frame, or the message or FPDU that it
// completed, is malformed.
func (v *FrameView) Faulty() bool {
	return v.Link.Faulty() || v.IB != nil && v.IB.Faulty() || v.Verdict.Faulty || v.Message != nil && v.Message.Malformed() != ""
}

// A Summary counts what a Dissector has seen.
type Summary struct {
	Frames, Bytes                  int64
	Connections, Messages          int64
	RPCs, IncompleteRPCs           int64
	NotRDMAFrames, MalformedFrames int64
	BadICRC, BadCRC                int64
	LostInCapture, LostOnWire      int64
	Retransmissions                int64
	Duplicates, Reordered          int64
	// First and Last are the earliest and latest times, in nanoseconds since 1970.
	First, Last int64
}
