package build

// Call appends a call of the client with what it offers, as Conversation.Call
// does.
func (c *IWARP) Call(m Message, offers ...Offer) *Exchange { return call(c, m, offers) }

// Reply appends the server's reply to a call, as Conversation.Reply does.
func (c *IWARP) Reply(e *Exchange, m Message, options ...ReplyOption) Span {
	return answer(c, e, m, options)
}

// ReplyError appends an RDMA_ERROR in place of a reply, as
// Conversation.ReplyError does.
func (c *IWARP) ReplyError(e *Exchange, code uint32) Span { return answerError(c, e, code) }

// ReverseCall appends a call of the server and the client's reply, as
// Conversation.ReverseCall does.
func (c *IWARP) ReverseCall(call, reply Message) Span { return reverseCall(c, call, reply) }

func (c *IWARP) next() int { return len(c.Frames) }

func (c *IWARP) credits(d Direction) uint32 {
	from, _ := c.hosts(d)
	return from.Credits
}
