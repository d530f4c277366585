package build

// Ack appends an acknowledgement that travels in direction d and covers every
// request of the other direction so far.
func (c *Conversation) Ack(d Direction) Span {
	return c.AckPSN(d, add24(c.requestStreams[d.Opposite()].psn, minusOne))
}

// AckPSN appends an acknowledgement of the requests up to a PSN.
func (c *Conversation) AckPSN(d Direction, psn uint32) Span {
	return c.acknowledge(d, psn, SyndromeAck, psn)
}

// Nak appends a negative acknowledgement: SyndromePSNSequenceError with the
// PSN that the responder expects, or another error with the PSN at fault.
func (c *Conversation) Nak(d Direction, psn uint32, syndrome uint8) Span {
	return c.acknowledge(d, psn, syndrome, add24(psn, minusOne))
}

// RNR appends a "receiver not ready" for the request with this PSN; the timer
// code (0 to 31) is the table's of the wire format, 14 being 1.28 ms.
func (c *Conversation) RNR(d Direction, psn uint32, timer uint8) Span {
	return c.acknowledge(d, psn, SyndromeRNR|timer&0x1f, add24(psn, minusOne))
}

// acknowledge answers the request with a PSN; taken is the last that the
// responder has taken.
func (c *Conversation) acknowledge(d Direction, psn uint32, syndrome uint8, taken uint32) Span {
	aeth := AETH{Syndrome: syndrome, MSN: c.requestStreams[d.Opposite()].msn(taken)}
	return c.Packet(d, BTH{OpCode: RCAcknowledge, PSN: psn}, aeth)
}

// CNP appends a congestion notification that asks the receiver of the frame to
// slow down.
func (c *Conversation) CNP(d Direction) Span {
	return c.Packet(d, BTH{OpCode: CongestionNotification, BECN: true}, Payload(make([]byte, 16)))
}
