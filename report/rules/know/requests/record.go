// Package requests remembers the newest requests of each end of a connection until its
// peer accepts or refuses them: by a NAK for one of their PSNs, or by a Terminate that
// names their MSN. It is the only record of them, which all rules share.
//
//	Send, PSN 10 to 13 ──>            Send, MSN 7 ──>
//	<── NAK invalid request, PSN 12   <── Terminate, DDP header with MSN 7
//
// Over InfiniBand a request is entered with its first packet, and known as a message of
// RPC-over-RDMA when that is reported. Over iWARP only these messages are entered: segments
// have no place in the stream of their own.
package requests

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Request is a Send, an RDMA Write, an RDMA Read request, or another request of
// InfiniBand. Its fields stand by their size: each connection remembers many.
type Request struct {
	// Begin and Frame are the first and the last of the frames that carried it so far,
	// the last one at Time in nanoseconds since 1970.
	Begin, Frame flow.Ref
	Time         int64
	// Offset is that of the RETH, if Named.
	Offset uint64
	// Length is how many bytes a Send has so far, or what the RETH says, if Named.
	Length int
	// First and Last are the PSNs of its packets so far, of an RDMA Read request those
	// of its responses too; over iWARP both are the MSN.
	First, Last uint32
	// Handle is what a Send invalidates, if Invalidates, or the R_Key of the RETH, if
	// Named.
	Handle uint32
	// XID is rdma_xid, if HasXID, and Version rdma_vers, 0 if it is not known; of a Message.
	XID, Version uint32

	again  uint32   // see SentAgain
	packet identity // of the first packet of a Send, if identified

	// OpCode is that of its first packet, SEND Only over iWARP.
	OpCode rocev2.OpCode
	From   flow.End
	// Message says that it was told as a message of RPC-over-RDMA.
	Message, HasXID, Invalidates bool
	// Named says that it has a RETH that was captured.
	Named      bool
	identified bool
}

// Kind is that of its OpCode.
func (r *Request) Kind() rocev2.Kind { return r.OpCode.Kind() }

// Has reports whether one of its packets, or of the responses to it, has a PSN.
func (r *Request) Has(psn uint32) bool {
	return rocev2.PSNDiff(psn, r.First) >= 0 && rocev2.PSNDiff(r.Last, psn) >= 0
}

// SentAgain reports whether any packet of the connection was retransmitted since it began.
func (r *Request) SentAgain(c *rules.Conn) bool { return r.again != uint32(c.Retransmissions) }

// Acknowledged reports whether the peer acknowledged all of it, as far as is known: over
// iWARP of a Send.
func (r *Request) Acknowledged(c *rules.Conn) bool {
	return c.Delivery(flow.Point{From: r.From, First: r.First, Last: r.Last, Numbered: true}) == flow.Acknowledged
}

// WasAcknowledged is Acknowledged for a Send that a NAK names, before which it may have been.
func (r *Request) WasAcknowledged(c *rules.Conn) bool {
	behind := rocev2.PSNAdd(r.Last, 1) // so that the point does not have the PSN of the NAK
	return c.Delivery(flow.Point{From: r.From, First: behind, Last: r.Last, Numbered: true}) == flow.Acknowledged
}

// String says what it is, for a person.
func (r *Request) String() string {
	switch r.Kind() {
	case rocev2.KindSend:
		if r.Invalidates {
			return "Send With Invalidate"
		}
		return "Send"
	case rocev2.KindWrite:
		return "RDMA Write"
	case rocev2.KindReadRequest:
		return "RDMA Read request"
	}
	return r.OpCode.String()
}

// most is how many requests of an end are remembered: a NAK comes within a round trip,
// and names the first that was not taken. Where all are acknowledged there are fewer, for
// what is retransmitted even so.
const most, fewer = 96, 8

// A Record has the newest requests of both ends.
type Record struct {
	list [2]rules.Ring[Request]
	// last are those that were entered last, newest the Sends that were told last; nil
	// before the first.
	last, newest [2]*Request
	rest         *[2]rules.Ring[restPacket] // nil before the first
	over         bool                       // the Terminate was looked at
	sent         [2]bool                    // a packet of a Send
	ignored      []RefusedReply             // of the server's replies
}

// recordSlot is where each connection keeps it.
const recordSlot = rules.ConnSlot[Record](rules.KeepsRequests)

// A RefusedReply is a reply of the server that the client did not take, so that its call has
// no answer.
type RefusedReply struct {
	XID   uint32
	Frame flow.Ref // of the reply
}

// mostIgnored is how many refused replies of a connection are remembered: a queue pair is in
// error after the first.
const mostIgnored = 8

// RefusedReplies are the replies that the client refused.
func (x *Record) RefusedReplies() []RefusedReply { return x.ignored }

// IsReply reports whether a request is a reply of the server, or its RDMA_ERROR, rather than
// a call in reverse direction.
func (r *Request) IsReply(c *rules.Conn) bool {
	return r.Message && r.HasXID && c.RolesKnown && r.From != c.ClientEnd && !c.Waits(r.From, r.XID)
}

// refused notes a Send that its receiver refused.
func (x *Record) refused(c *rules.Conn, r *Request) {
	if r.IsReply(c) && len(x.ignored) < mostIgnored {
		x.ignored = append(x.ignored, RefusedReply{r.XID, r.Frame})
	}
}

// Sent reports whether a packet of a Send of an end was captured, other than one that was
// sent again; over InfiniBand.
func (x *Record) Sent(from flow.End) bool { return x.sent[from&1] }

// Of is the Record of a connection, for rules that need Knowledge.
func Of(c *rules.Conn) *Record { return recordSlot.Of(c) }

// Knowledge keeps the Record.
func Knowledge() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsRequests, Limitations: []rules.Limitation{rules.LostSince}, On: []rules.Event{
		rules.OnMessage(0, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) { Of(c).message(c, m) }),
		rules.OnFrame(rules.Packet|rules.Refusing|rules.Ending, frame),
	}}
}

func frame(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	ib, x := v.IB, Of(c)
	switch {
	case ib == nil:
		if t := c.Termination; t != nil && !x.over {
			x.over = true
			x.terminated(c, v, t)
		}
	case ib.OpCode.IsRequest():
		if taken(v) {
			x.packet(c, v, ib)
		}
	case ib.AETH() != 0 && v.Verdict.Note != flow.Duplicate:
		x.nak(c, v, ib.Syndrome())
	}
}

// Newest is the Send of an end that was told last, nil if there was none.
func (x *Record) Newest(from flow.End) *Request { return x.newest[from&1] }

// Find is the newest request of an end that has a PSN, nil if none is remembered.
func (x *Record) Find(from flow.End, psn uint32) *Request {
	return x.findRequest(from, func(r *Request) bool { return r.Has(psn) })
}

// ByMSN is the Send of an end with an MSN, nil if it is not remembered.
func (x *Record) ByMSN(from flow.End, msn uint32) *Request {
	return x.findRequest(from, func(r *Request) bool { return r.Last == msn })
}

func (x *Record) findRequest(from flow.End, is func(r *Request) bool) *Request {
	for r := range x.list[from&1].Backward() {
		if is(r) {
			return r
		}
	}
	return nil
}

// Read is the RDMA Read request of an end whose responses begin with a PSN, as far as it
// was the newest that did so by then; nil if it is not remembered.
func (x *Record) Read(from flow.End, psn uint32) *Request {
	for r := range x.list[from&1].Backward() {
		if behind := rocev2.PSNDiff(psn, r.First); behind >= 0 {
			if behind > 0 || r.Kind() != rocev2.KindReadRequest {
				return nil
			}
			return r
		}
	}
	return nil
}

// addRequest is room for a request of an end.
func (x *Record) addRequest(c *rules.Conn, end flow.End) *Request {
	l := &x.list[end]
	if l.Grows() && l.Len() >= fewer && x.last[end].Acknowledged(c) {
		l.StartOver()
	}
	r := l.Add(most)
	*r = Request{From: end}
	x.last[end] = r
	return r
}

// message takes a message, before its last frame.
func (x *Record) message(c *rules.Conn, m *dissect.Message) {
	r := x.begun(c, m)
	if r == nil {
		r = x.addRequest(c, m.From&1)
		r.Begin, r.again = m.Frames[0], uint32(c.Retransmissions)
	}
	x.newest[m.From&1] = r
	r.Message, r.Frame, r.Time, r.Length = true, m.Frame(), m.Last, m.Length
	r.First, r.Last = m.Point.First, m.Point.Last
	r.Handle, r.Invalidates = m.Invalidated, m.HasInvalidated
	if m.Header.Length >= rpcrdma.FixedSize {
		r.XID, r.HasXID, r.Version = m.Header.XID, true, m.Header.Version
	}
}

// begun is what is known of a message by its packets, nil if that is nothing: it is the
// only one, or over iWARP.
func (x *Record) begun(c *rules.Conn, m *dissect.Message) *Request {
	if c.IWARP() || m.Frames[0] == c.Last {
		return nil
	}
	return x.findRequest(m.From, func(r *Request) bool {
		return r.First == m.Point.First && !r.Message && r.Kind() == rocev2.KindSend
	})
}
