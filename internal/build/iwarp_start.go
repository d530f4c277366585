package build

// Connect appends the handshake of TCP, the start of MPA, and the RTR if the
// setup names one.
func (c *IWARP) Connect() Span {
	first := c.Handshake().First
	c.Startup()
	if c.RTR != NoRTR {
		c.ReadyToReceive()
	}
	return c.span(first)
}

// Startup appends the MPA Request and Reply frames, each acknowledged.
func (c *IWARP) Startup() Span {
	first := len(c.Frames)
	c.Request()
	c.Ack(ToClient)
	c.Accept()
	c.Ack(ToServer)
	return c.span(first)
}

// Request appends only the MPA Request frame.
func (c *IWARP) Request() Span { return c.Stream(ToServer, c.StartFrame(ToServer).Bytes()) }

// Accept appends the MPA Reply frame.
func (c *IWARP) Accept() Span { return c.Stream(ToClient, c.StartFrame(ToClient).Bytes()) }

// Reject appends an MPA Reply frame that rejects, with the consumer's private
// data.
func (c *IWARP) Reject(private []byte) Span {
	m := c.StartFrame(ToClient)
	m.Reject, m.Private = true, private
	return c.Stream(ToClient, m.Bytes())
}

// StartFrame is the MPA Request (ToServer) or Reply frame as the setup has it,
// for a story that changes it and sends it with Stream.
func (c *IWARP) StartFrame(d Direction) MPAStart {
	from, _ := c.hosts(d)
	m := MPAStart{
		Reply: d == ToClient, Revision: c.Revision, Enhanced: !c.Plain && c.Revision >= 2, Private: from.Private,
		PeerToPeer: c.PeerToPeer || c.RTR != NoRTR,
		ZeroSend:   c.RTR == RTRSend, ZeroWrite: c.RTR == RTRWrite, ZeroRead: c.RTR == RTRRead,
	}
	if d == ToServer {
		m.Markers, m.CRC, m.IRD, m.ORD = c.MarkersToClient, c.CRC || c.ClientCRC, c.ClientDepths.IRD, c.ClientDepths.ORD
	} else {
		m.Markers, m.CRC, m.IRD, m.ORD = c.MarkersToServer, c.CRC || c.ServerCRC, c.ServerDepths.IRD, c.ServerDepths.ORD
	}
	return m
}

// ReadyToReceive appends the client's message of no bytes that the setup
// names as RTR; a Read with its response.
func (c *IWARP) ReadyToReceive() Span {
	const stag = 1 // what Linux siw names, since some adapters have a special 0
	switch c.RTR {
	case RTRSend:
		return c.Send(ToServer, nil)
	case RTRWrite:
		return c.Write(ToServer, stag, 0, nil)
	case RTRRead:
		r := c.ReadRequestInto(ToServer, ReadRequest{SourceSTag: stag})
		return Span{r.First, c.ReadResponse(r, nil).End}
	}
	panic("build: the setup names no RTR")
}
