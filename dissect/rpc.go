package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
)

// Transfer says how an RPC message travelled.
type Transfer uint8

const (
	Inline  Transfer = iota // all of it in the Send
	Chunked                 // some item was placed directly
	Long                    // by a Position-Zero Read chunk or the Reply chunk
)

// String is the word of the JSON contract.
func (t Transfer) String() string {
	switch t {
	case Chunked:
		return "chunked"
	case Long:
		return "long"
	}
	return "inline"
}

// A Message is one RPC-over-RDMA transport message.
type Message struct {
	Connection *Connection
	// From is the end that sent it.
	From flow.End
	// Frames carried it; First and Last are the times of the first and the
	// last of them, in nanoseconds since 1970.
	Frames      []flow.Ref
	First, Last int64
	// Point is its place among those of the connection.
	Point flow.Point
	// Length is the number of bytes of the Send, as far as it was seen.
	Length int
	// Header is the transport header; its Fault is only that of a message
	// that is Whole.
	Header rpcrdma.Header
	// Invalidated is the handle of a Send with Invalidate, if HasInvalidated.
	Invalidated    uint32
	HasInvalidated bool
	// Whole says that all its bytes are in the capture; Missing why not.
	Whole   bool
	Missing string
	// Answer is true for a reply or an RDMA_ERROR, false for a call and for what
	// begins and ends no RPC.
	Answer bool
	// Transfer is how the RPC message travelled, RPCLength how many bytes it
	// has as the upper layer saw it, chunks put back; 0 if that is unknown.
	Transfer  Transfer
	RPCLength uint64
	// CallHeader or ReplyHeader is the ONC RPC header, if HasRPC; that of a long
	// message is known only when the message was put back together.
	CallHeader  rpc.Call
	ReplyHeader rpc.Reply
	HasRPC      bool
	// Bytes are those of the Send, kept only with Options.KeepBytes.
	Bytes []byte

	rpc       *RPC     // of which it is the call or the reply, nil if of none
	asked     rpc.Call // the header of the call that a reply answers, if hasAsked
	hasAsked  bool
	rest      []byte // what is inline after the RPC header
	body      *Body
	bodyState bodyState

	pieces   []flow.Piece // where the Send's bytes lie
	raw      []byte       // the Send's bytes, while a Sink receives the message
	role     Role
	ownRole  Role             // what it is by itself
	rpcFault field.Fault      // of the inline RPC header, its byte in the RPC message
	optional *Optional        // that it answers
	request  *UnpairedMessage // that it answers, while a Sink receives the message
}

// Malformed says what could not be decoded and at which byte, "" if nothing.
func (m *Message) Malformed() string {
	if !m.Whole {
		return ""
	}
	if m.rpcFault.Bad() {
		return m.RPCFault().String()
	}
	if o := m.Header.Option(); o != nil && !m.Header.Fault.Bad() {
		return o.Fault.String()
	}
	return m.Header.Fault.String()
}

// Frame is the last frame of the message.
func (m *Message) Frame() flow.Ref { return m.Frames[len(m.Frames)-1] }

// Moment is when its last frame was captured.
func (m *Message) Moment() flow.Moment { return flow.Moment{Ref: m.Frame(), Time: m.Last} }

// ToServer reports its direction.
func (m *Message) ToServer() bool { return m.Connection.ToServer(m.From) }

// RPC is the transaction of which it is the call or the reply, nil if of none.
func (m *Message) RPC() *RPC { return m.rpc }

// An RPC is one RPC transaction: a call and its reply.
type RPC struct {
	Connection *Connection
	// Requester is the end that sent the call.
	Requester flow.End
	// WhyNotTaken says why the receiver of Untaken did not take it, Heard if there is none.
	WhyNotTaken WhyNotTaken
	XID         uint32
	// Call and Reply are the two messages, nil where one is not in the capture. Untaken is a
	// reply that is no answer, as Unheard says: there is no Reply then, and the call is open.
	Call, Reply, Untaken *Message
	// Frames are all frames that carried any part of it, in order.
	Frames []flow.Ref
	// Offer is the memory that the call advertised and what was done with it.
	Offer rpcrdma.Offer
	// Complete says that all of it is in the capture; Missing why not.
	Complete bool
	Missing  string

	timing   timing
	due      int64             // frame count of the connection at which waiting ends
	open     list.Element[RPC] // in the Dissector's list of unanswered calls
	waits    list.Element[RPC] // in that of its connection, if the capture would have its reply
	since    int64             // from when on it waits, in nanoseconds since 1970
	unsorted bool              // Frames may be out of order so far
	// tries counts how often the reply was retransmitted while it was not acknowledged, up to
	// fewTries, the last time at triedAt, in nanoseconds since 1970.
	tries    uint8
	triedAt  int64
	weight   int
	epoch    int64 // in which it came: see settling
	came     int64 // the ordinal of the frame with which it did
	past     int64 // order of the PastCall, 0 while there is none
	pastCall *PastCall
}

// carried notes frames that carried a part of it. One may carry several.
func (r *RPC) carried(frames []flow.Ref) {
	for _, f := range frames {
		if n := len(r.Frames); n > 0 {
			last := &r.Frames[n-1]
			if *last == f {
				continue
			}
			r.unsorted = r.unsorted || f.Number < last.Number || f.File != last.File
		}
		r.Frames = append(r.Frames, f)
	}
}

// Reverse reports whether it is a call from server to client (RFC 8167).
func (r *RPC) Reverse() bool { return r.Requester != r.Connection.ClientEnd }

// Latency is the time from the call's last frame to the reply's first, in
// nanoseconds; false if one of them is not in the capture or has no time, or if
// their times are out of order.
func (r *RPC) Latency() (ns int64, ok bool) {
	if r.Call == nil || r.Reply == nil || r.Call.Last == 0 || r.Reply.First < r.Call.Last {
		return 0, false
	}
	return r.Reply.First - r.Call.Last, true
}

// CallHeader is the ONC RPC header of the call, nil if it is not known.
func (r *RPC) CallHeader() *rpc.Call {
	if r.Call == nil || !r.Call.HasRPC {
		return nil
	}
	return &r.Call.CallHeader
}

// ReplyHeader is the ONC RPC header of the reply, nil if it is not known: an
// RDMA_ERROR has none.
func (r *RPC) ReplyHeader() *rpc.Reply {
	if r.Reply == nil || !r.Reply.HasRPC {
		return nil
	}
	return &r.Reply.ReplyHeader
}

// Start is the time of its first message.
func (r *RPC) Start() int64 {
	if r.Call != nil {
		return r.Call.First
	}
	return r.Reply.First
}
