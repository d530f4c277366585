package build

// Connect appends REQ, REP and RTU.
func (c *Conversation) Connect() Span {
	first := c.Request().First
	c.mad(ToClient, AttrREP, c.rep().Bytes())
	rtu := c.mad(ToServer, AttrRTU, CommIDs(c.Client.CommID, c.Server.CommID))
	return Span{first, rtu.End}
}

// Request appends only the REQ: what follows may be a Reject.
func (c *Conversation) Request() Span { return c.mad(ToServer, AttrREQ, c.req().Bytes()) }

// Reject appends the server's REJ of the REQ.
func (c *Conversation) Reject(reason uint16, private []byte) Span {
	return c.mad(ToClient, AttrREJ, REJ(c.Server.CommID, c.Client.CommID, 0, reason, private))
}

// Disconnect appends DREQ from the client and DREP.
func (c *Conversation) Disconnect() Span { return c.DisconnectBy(ToServer) }

func (c *Conversation) req() REQ {
	m := RealREQ()
	m.LocalCommID, m.LocalCAGUID, m.LocalQPN = c.Client.CommID, c.Client.GUID, c.Client.QPN
	m.ServiceID, m.PathMTU = IPServiceID(c.Service), c.PMTU
	switch c.Transport {
	case UnreliableConnection:
		m.TransportService = 1
	case ExtendedReliableConnection:
		m.TransportService, m.ExtTransport = 3, 1
	}
	m.StartingPSN = c.Server.PSN // a REQ or REP names what its receiver begins with
	m.LocalGID, m.RemoteGID = c.Client.Addr, c.Server.Addr
	m.PrivateData = IPCM{SrcPort: c.Client.Port, Src: c.Client.Addr, Dst: c.Server.Addr}.Bytes(c.Client.Private)
	if c.EditREQ != nil {
		c.EditREQ(&m)
	}
	return m
}

func (c *Conversation) rep() REP {
	m := RealREP()
	m.LocalCommID, m.RemoteCommID = c.Server.CommID, c.Client.CommID
	m.LocalQPN, m.StartingPSN, m.LocalCAGUID = c.Server.QPN, c.Client.PSN, c.Server.GUID
	m.PrivateData = c.Server.Private
	if c.EditREP != nil {
		c.EditREP(&m)
	}
	return m
}

// mad appends a management datagram; the transaction is the client's.
func (c *Conversation) mad(d Direction, attribute uint16, body []byte) Span {
	h := &c.requestStreams[d]
	m := MAD{Attribute: attribute, TransactionID: 2<<32 | uint64(c.Client.CommID), PSN: h.madPSN, Body: body}
	h.madPSN++
	return c.append(d, false, []Layer{m})
}

// DisconnectBy appends the DREQ that travels in direction d, and the DREP.
func (c *Conversation) DisconnectBy(d Direction) Span {
	from, to := c.hosts(d)
	first := c.mad(d, AttrDREQ, DREQ(from.CommID, to.CommID, to.QPN)).First
	drep := c.mad(d.Opposite(), AttrDREP, CommIDs(to.CommID, from.CommID))
	return Span{first, drep.End}
}
