package build

// Version2 makes a Call one of RPC-over-RDMA version 2, and what Reply answers to
// it. It stands among what the call offers.
type Version2 struct {
	// InvHandle is rdma_inv_handle, in the call and copied in the reply.
	InvHandle uint32
}

func (Version2) offer(*Header, Message) {}

// with is a whole transport message in the version of the exchange.
func (e *Exchange) with(h Header, direction uint32, rpc []byte) []byte {
	if e.two == nil {
		return h.With(rpc)
	}
	return Header2{
		XID: h.XID, Credits: h.Credits, Proc: h.Proc, Direction: direction, InvHandle: e.two.InvHandle,
		Reads: h.Reads, Writes: h.Writes, Reply: h.Reply,
	}.With(rpc)
}

// Message2 appends a message of version 2 that stands alone, such as an OPTIONAL or an
// ERROR, with the credits of its sender, and its acknowledgement.
func (c *Conversation) Message2(d Direction, h Header2) Span { return message2(c, d, h) }

// Message2 appends a message of version 2, as Conversation.Message2 does.
func (c *IWARP) Message2(d Direction, h Header2) Span { return message2(c, d, h) }

// ReverseCall2 is Callback in version 2.
func (c *Conversation) ReverseCall2(call, reply Message) Span { return reverseCall2(c, call, reply) }

// ReverseCall2 is Callback in version 2.
func (c *IWARP) ReverseCall2(call, reply Message) Span { return reverseCall2(c, call, reply) }

func message2(v verbs, d Direction, h Header2) Span {
	h.Credits = or(h.Credits, v.credits(d))
	s := v.Send(d, h.Bytes())
	return Span{s.First, v.Ack(d.Opposite()).End}
}

func reverseCall2(v verbs, call, reply Message) Span {
	s := v.Send(ToClient, Header2{XID: call.XID(), Credits: v.credits(ToClient)}.With(call.Bytes))
	v.Ack(ToServer)
	v.Send(ToServer, Header2{XID: reply.XID(), Credits: v.credits(ToServer), Direction: DirectionReply}.With(reply.Bytes))
	return Span{s.First, v.Ack(ToClient).End}
}
