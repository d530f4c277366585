package build

// Send appends a Send of the bytes, in as many FPDUs as the MULPDU makes of
// it. Nothing acknowledges it yet.
func (c *IWARP) Send(d Direction, data []byte) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPSend, Payload: data})
}

// SendInvalidate appends a Send with Invalidate of an STag.
func (c *IWARP) SendInvalidate(d Direction, stag uint32, data []byte) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPSendInvalidate, Invalidate: stag, Payload: data})
}

// SendSE appends a Send with Solicited Event.
func (c *IWARP) SendSE(d Direction, data []byte) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPSendSE, Payload: data})
}

// SendSEInvalidate appends a Send with Solicited Event and Invalidate.
func (c *IWARP) SendSEInvalidate(d Direction, stag uint32, data []byte) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPSendSEInvalidate, Invalidate: stag, Payload: data})
}

// Immediate appends Immediate Data, 8 bytes (RFC 7306).
func (c *IWARP) Immediate(d Direction, data uint64) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPImmediate, Payload: appendHyper(nil, data)})
}

// ImmediateSE appends Immediate Data with Solicited Event.
func (c *IWARP) ImmediateSE(d Direction, data uint64) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPImmediateSE, Payload: appendHyper(nil, data)})
}

// Terminate appends a Terminate. The connection is the caller's to end.
func (c *IWARP) Terminate(d Direction, t Termination) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPTerminate, QN: QueueTerminate, Payload: t.Bytes()})
}

// AtomicRequest appends an Atomic Request, which counts with the RDMA Read
// Requests.
func (c *IWARP) AtomicRequest(d Direction, a AtomicRequest) Span {
	return c.untagged(d, Untagged{OpCode: RDMAPAtomicRequest, QN: QueueReadRequest, Payload: a.Bytes()})
}

// AtomicResponse appends an Atomic Response, 12 bytes (RFC 7306, section
// 5.2): the request's identifier and the value that the memory had.
func (c *IWARP) AtomicResponse(d Direction, identifier uint32, original uint64) Span {
	payload := appendHyper(appendWords(nil, identifier), original)
	return c.untagged(d, Untagged{OpCode: RDMAPAtomicResponse, QN: QueueAtomicResponse, Payload: payload})
}

// Write appends an RDMA Write of the bytes to the receiver's memory.
func (c *IWARP) Write(d Direction, stag uint32, to uint64, data []byte) Span {
	return c.tagged(d, Tagged{OpCode: RDMAPWrite, STag: stag, TO: to, Payload: data})
}

// An RDMARead is an RDMA Read Request on its way.
type RDMARead struct {
	Span
	ReadRequest
	Dir Direction // of the request
	MSN uint32
}

// ReadRequest appends an RDMA Read Request for length bytes of the receiver's
// memory; where they go is an STag of its own each time.
func (c *IWARP) ReadRequest(d Direction, sourceSTag uint32, sourceTO uint64, length int) RDMARead {
	msn := c.NextMSN(d, QueueReadRequest)
	return c.ReadRequestInto(d, ReadRequest{
		SinkSTag: 0x96bf0000 | uint32(d)<<15 | msn&0x7fff, SinkTO: 0xff291a6600000000 + uint64(msn)<<20,
		Size: uint32(length), SourceSTag: sourceSTag, SourceTO: sourceTO,
	})
}

// ReadRequestInto appends an RDMA Read Request as it is given.
func (c *IWARP) ReadRequestInto(d Direction, r ReadRequest) RDMARead {
	msn := c.NextMSN(d, QueueReadRequest)
	s := c.untagged(d, Untagged{OpCode: RDMAPReadRequest, QN: QueueReadRequest, Payload: r.Bytes()})
	return RDMARead{Span: s, ReadRequest: r, Dir: d, MSN: msn}
}

// ReadResponse appends the RDMA Read Response to a request: bytes, which have
// the length that was asked for, against its direction.
func (c *IWARP) ReadResponse(r RDMARead, data []byte) Span {
	return c.tagged(r.Dir.Opposite(), Tagged{OpCode: RDMAPReadResponse, STag: r.SinkSTag, TO: r.SinkTO, Payload: data})
}

// Read appends a request and its response at once.
func (c *IWARP) Read(d Direction, sourceSTag uint32, sourceTO uint64, data []byte) Span {
	r := c.ReadRequest(d, sourceSTag, sourceTO, len(data))
	return Span{r.First, c.ReadResponse(r, data).End}
}

// FPDU appends one FPDU with any ULPDU: Untagged or Tagged .Bytes(), or not
// even that. No MSN changes by it.
func (c *IWARP) FPDU(d Direction, ulpdu []byte, options ...FPDUOption) Span {
	return c.Stream(d, c.senders[d].mpa.FPDU(ulpdu, options...))
}

// untagged appends a message for the queue that m names, with the next MSN of it.
func (c *IWARP) untagged(d Direction, m Untagged) Span {
	data := m.Payload
	m.MSN = c.NextMSN(d, m.QN)
	c.senders[d].msn[m.QN] = m.MSN
	return c.message(d, data, untaggedLength, func(piece []byte, at int, last bool) []byte {
		m.Payload, m.MO, m.Last = piece, uint32(at), last
		return m.Bytes()
	})
}

// tagged appends a message for the memory that m names.
func (c *IWARP) tagged(d Direction, m Tagged) Span {
	data, to := m.Payload, m.TO
	return c.message(d, data, taggedLength, func(piece []byte, at int, last bool) []byte {
		m.Payload, m.TO, m.Last = piece, to+uint64(at), last
		return m.Bytes()
	})
}

// message appends the FPDUs of a message, of which there is at least one. Each
// is a segment of its own, or all of them go at once with TSO.
func (c *IWARP) message(d Direction, data []byte, header int, segment func(piece []byte, at int, last bool) []byte) Span {
	first, s := len(c.Frames), &c.senders[d]
	room := or(c.MULPDU, MULPDU(c.MSS, s.mpa.Markers)) - header
	c.laid = Laid{dir: d}
	for at := 0; at == 0 || at < len(data); at += room {
		piece := data[at:min(at+room, len(data))]
		s.lay(&c.laid, header, at, len(piece))
		s.pending = append(s.pending, s.mpa.FPDU(segment(piece, at, at+room >= len(data)))...)
		if c.TSO == 0 {
			c.drain(d)
		}
	}
	c.drain(d)
	return c.span(first)
}
