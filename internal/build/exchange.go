package build

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
	// Sent are the frames of the Send, Read those of the RDMA Reads after it.
	Sent, Read Span

	two *Version2
}

// Call appends a call of the client with what it offers: its Send, the
// server's acknowledgement, and the RDMA Reads by which the server fetches
// what did not come inline.
func (c *Conversation) Call(m Message, offers ...Offer) *Exchange { return call(c, m, offers) }

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
	return answer(c, e, m, options)
}

// ReplyError appends an RDMA_ERROR in place of a reply: ErrChunk or ErrVers
// (versions 1 to 1), and its acknowledgement.
func (c *Conversation) ReplyError(e *Exchange, code uint32) Span { return answerError(c, e, code) }

// ReverseCall appends a call of the server and the client's reply, both inline
// (RFC 8167), each acknowledged.
func (c *Conversation) ReverseCall(call, reply Message) Span { return reverseCall(c, call, reply) }

func (c *Conversation) next() int { return len(c.Frames) }

func (c *Conversation) credits(d Direction) uint32 {
	from, _ := c.hosts(d)
	return from.Credits
}
