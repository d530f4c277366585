package build

// Send appends a Send of the bytes, in as many packets as the PMTU makes of
// it. Nothing acknowledges it yet.
func (c *Conversation) Send(d Direction, data []byte) Span {
	return c.message(d, data, kind{RCSendFirst, RCSendMiddle, RCSendLast, RCSendOnly}, nil, nil)
}

// SendInvalidate appends a Send with Invalidate of an R_key.
func (c *Conversation) SendInvalidate(d Direction, rkey uint32, data []byte) Span {
	return c.message(d, data, kind{RCSendFirst, RCSendMiddle, RCSendLastInvalidate, RCSendOnlyInvalidate}, nil, []Layer{IETH{rkey}})
}

// SendImmediate appends a Send with immediate data.
func (c *Conversation) SendImmediate(d Direction, immediate uint32, data []byte) Span {
	return c.message(d, data, kind{RCSendFirst, RCSendMiddle, RCSendLastImmediate, RCSendOnlyImmediate}, nil, []Layer{ImmDt{immediate}})
}

// Write appends an RDMA Write of the bytes to the receiver's memory.
func (c *Conversation) Write(d Direction, rkey uint32, va uint64, data []byte) Span {
	reth := RETH{VA: va, RKey: rkey, DMALen: uint32(len(data))}
	return c.message(d, data, kind{RCWriteFirst, RCWriteMiddle, RCWriteLast, RCWriteOnly}, []Layer{reth}, nil)
}

// kind is the four opcodes of one operation.
type kind struct{ first, middle, last, only uint8 }

// message appends a message of one or more packets; head are the extended
// headers of its first packet, tail those of its last.
func (c *Conversation) message(d Direction, data []byte, k kind, head, tail []Layer) Span {
	first, h := len(c.Frames), &c.requestStreams[d]
	c.segments(data, k, func(op uint8, piece []byte, begin, end bool) {
		var layers []Layer
		if begin {
			layers = append(layers, head...)
		}
		if end {
			layers = append(layers, tail...)
		}
		c.Packet(d, BTH{OpCode: op, PSN: h.takePSNs(1), AckReq: end}, append(layers, Payload(piece))...)
	})
	h.complete()
	return Span{first, len(c.Frames)}
}

// packets is how many packets n bytes take: at least one.
func (c *Conversation) packets(n int) int { return max(1, (n+c.PMTU-1)/c.PMTU) }

// segments cuts bytes into pieces of the PMTU, of which there is at least one.
func (c *Conversation) segments(data []byte, k kind, packet func(op uint8, piece []byte, begin, end bool)) {
	for at := 0; at == 0 || at < len(data); at += c.PMTU {
		rest := data[at:]
		begin, end := at == 0, len(rest) <= c.PMTU
		op := k.middle
		switch {
		case begin && end:
			op = k.only
		case begin:
			op = k.first
		case end:
			op = k.last
		}
		packet(op, rest[:min(c.PMTU, len(rest))], begin, end)
	}
}

// A Read is an RDMA Read request on its way.
type Read struct {
	Span
	Dir    Direction // of the request
	PSN    uint32
	Length int
}

// ReadRequest appends an RDMA Read request for length bytes of the receiver's
// memory. It takes as many PSNs as its responses will need.
func (c *Conversation) ReadRequest(d Direction, rkey uint32, va uint64, length int) Read {
	h := &c.requestStreams[d]
	r := Read{Dir: d, PSN: h.takePSNs(c.packets(length)), Length: length}
	h.complete()
	r.Span = c.Packet(d, BTH{OpCode: RCReadRequest, PSN: r.PSN, AckReq: true}, RETH{VA: va, RKey: rkey, DMALen: uint32(length)})
	return r
}

// ReadResponse appends the responses to a request: bytes, which have the
// length that was asked for, against its direction.
func (c *Conversation) ReadResponse(r Read, data []byte) Span {
	first, psn := len(c.Frames), r.PSN
	msn := c.requestStreams[r.Dir].msn(add24(psn, uint32(c.packets(len(data))-1)))
	k := kind{RCReadResponseFirst, RCReadResponseMiddle, RCReadResponseLast, RCReadResponseOnly}
	c.segments(data, k, func(op uint8, piece []byte, begin, end bool) {
		layers := []Layer{Payload(piece)}
		if begin || end {
			layers = append(layers, AETH{Syndrome: SyndromeAck, MSN: msn})
		}
		c.Packet(r.Dir.Opposite(), BTH{OpCode: op, PSN: psn}, layers...)
		psn = add24(psn, 1)
	})
	return Span{first, len(c.Frames)}
}

// Read appends a request and its responses at once.
func (c *Conversation) Read(d Direction, rkey uint32, va uint64, data []byte) Span {
	r := c.ReadRequest(d, rkey, va, len(data))
	return Span{r.First, c.ReadResponse(r, data).End}
}
