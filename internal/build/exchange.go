package build

import "fmt"

// An Offer is memory that a call advertises: ReadChunk, LongCall, WriteChunk
// or ReplyChunk.
type Offer interface {
	offer(h *Header, m Message)
}

type (
	// ReadChunk moves the call's eligible item, which the call must have: the
	// server reads it. The lengths add up to the item's, with or without pad.
	ReadChunk []Segment
	// LongCall moves the whole call, less what a ReadChunk moves: the server
	// reads it out of this Position-Zero Read chunk.
	LongCall []Segment
	// WriteChunk is where the server may place the reply's eligible item.
	WriteChunk []Segment
	// ReplyChunk is where the server may place the whole reply.
	ReplyChunk []Segment
)

func (o ReadChunk) offer(h *Header, m Message) {
	if m.Item == 0 {
		panic("build: a ReadChunk for a call without an eligible item")
	}
	for _, s := range o {
		h.Reads = append(h.Reads, ReadSegment{uint32(m.Item), s})
	}
}

func (o LongCall) offer(h *Header, m Message) {
	h.Proc = NOMSG
	for _, s := range o {
		h.Reads = append(h.Reads, ReadSegment{0, s})
	}
}

func (o WriteChunk) offer(h *Header, _ Message) { h.Writes = append(h.Writes, o) }
func (o ReplyChunk) offer(h *Header, _ Message) { h.Reply = append([]Segment{}, o...) }

// An Exchange is a call that was sent, to be replied to.
type Exchange struct {
	Header Header // of the call
	// Sent are the frames of the Send, Read those of the RDMA Reads behind it.
	Sent, Read Span
}

// Call appends a call of the client with what it offers: its Send, the
// server's acknowledgement, and the RDMA Reads by which the server fetches
// what did not come inline.
func (c *Conversation) Call(m Message, offers ...Offer) *Exchange {
	e := &Exchange{Header: Header{XID: m.XID(), Credits: c.Client.Credits}}
	for _, o := range offers {
		o.offer(&e.Header, m)
	}
	h := &e.Header
	rest, item := m.Octets, []byte(nil)
	for _, r := range h.Reads {
		if r.Position != 0 {
			rest, item = m.Reduced(), m.Octets[m.Item:]
		}
	}
	inline := rest
	if h.Proc == NOMSG {
		inline = nil
	}
	e.Sent = c.Send(ToServer, h.With(inline))
	c.Ack(ToClient)
	e.Read.First = len(c.Frames)
	for _, r := range h.Reads {
		from := &rest
		if r.Position != 0 {
			from = &item
		}
		n := min(int(r.Length), len(*from))
		c.Read(ToClient, r.Handle, r.Offset, (*from)[:n])
		*from = (*from)[n:]
	}
	e.Read.End = len(c.Frames)
	return e
}

// A ReplyOption changes how Reply sends.
type ReplyOption func(*reply)

type reply struct {
	invalidate    uint32
	hasInvalidate bool
}

// Invalidate makes the reply a Send with Invalidate of a handle.
func Invalidate(handle uint32) ReplyOption {
	return func(r *reply) { r.invalidate, r.hasInvalidate = handle, true }
}

// Reply appends the server's reply to a call, as a Linux server sends it: the
// item goes into the first Write chunk, if the call offered one; the message
// (less the item) goes into the Reply chunk, if the call offered one, or else
// inline. The client acknowledges it. It panics when the memory that was
// offered is too small.
func (c *Conversation) Reply(e *Exchange, m Message, options ...ReplyOption) Span {
	var r reply
	for _, o := range options {
		o(&r)
	}
	first := len(c.Frames)
	h := Header{XID: m.XID(), Credits: c.Server.Credits}
	octets := m.Octets
	for i, chunk := range e.Header.Writes {
		var item []byte
		if i == 0 && m.Item != 0 {
			item, octets = m.Placed(), m.Reduced()
		}
		h.Writes = append(h.Writes, c.place(chunk, item))
	}
	if e.Header.Reply != nil {
		h.Proc, h.Reply, octets = NOMSG, c.place(e.Header.Reply, octets), nil
	}
	if r.hasInvalidate {
		c.SendInvalidate(ToClient, r.invalidate, h.With(octets))
	} else {
		c.Send(ToClient, h.With(octets))
	}
	return Span{first, c.Ack(ToServer).End}
}

// ReplyError appends an RDMA_ERROR in place of a reply: ErrChunk or ErrVers
// (versions 1 to 1), and its acknowledgement.
func (c *Conversation) ReplyError(e *Exchange, code uint32) Span {
	h := Header{XID: e.Header.XID, Credits: c.Server.Credits, Proc: ERROR, Err: code, Low: 1, High: 1}
	s := c.Send(ToClient, h.Octets())
	return Span{s.First, c.Ack(ToServer).End}
}

// Callback appends a call of the server and the client's reply, both inline
// (RFC 8167), each acknowledged.
func (c *Conversation) Callback(call, reply Message) Span {
	s := c.Send(ToClient, Header{XID: call.XID(), Credits: c.Server.Credits}.With(call.Octets))
	c.Ack(ToServer)
	c.Send(ToServer, Header{XID: reply.XID(), Credits: c.Client.Credits}.With(reply.Octets))
	return Span{s.First, c.Ack(ToClient).End}
}

// place writes octets into a chunk with RDMA Write, segment by segment, and
// returns the chunk as the reply tells it: each length what was written.
func (c *Conversation) place(chunk []Segment, octets []byte) []Segment {
	told := make([]Segment, len(chunk))
	for i, s := range chunk {
		n := min(int(s.Length), len(octets))
		if n > 0 {
			c.Write(ToClient, s.Handle, s.Offset, octets[:n])
		}
		octets, s.Length = octets[n:], uint32(n)
		told[i] = s
	}
	if len(octets) > 0 {
		panic(fmt.Sprintf("build: %d octets more than the chunk %v holds", len(octets), chunk))
	}
	return told
}
