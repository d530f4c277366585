package build

import (
	"net/netip"
	"time"
)

// A Host is one end of a conversation. NewConversation fills what is zero.
type Host struct {
	MAC  MAC
	Addr netip.Addr
	// QPN is the host's queue pair; PSN that of its first request, which the
	// other host has asked for in its REQ or REP.
	QPN, PSN uint32
	CommID   uint32
	GUID     uint64
	// UDPPort is the source port of the host's frames; Port the one that the
	// IP CM header names for the client.
	UDPPort, Port uint16
	// IPID is the IPv4 identification of the host's first frame.
	IPID uint16
	// Credits is what the host asks for, or grants, in Call, Reply and Callback.
	Credits uint32
	// Private is the consumer's private data for CM: see PrivateData. A nil
	// slice becomes a Linux peer's: 4096 bytes each way, with the flag for
	// remote invalidation from the client and without it from the server. An
	// empty one sends none.
	Private []byte
}

// Setup is what a conversation may be told in advance. The zero Setup is two
// Linux hosts with RoCEv2 over IPv4.
type Setup struct {
	Client, Server Host
	PMTU           int       // bytes; 0 is 1024
	Service        uint16    // the port that the client connects to; 0 is 20049
	Start          time.Time // zero is a moment in 2024
	Step           time.Duration
	// RoCEv1 puts a GRH in place of IP and UDP.
	RoCEv1 bool
	VLANs  []VLAN
	// Transport is ReliableConnection, which is 0, UnreliableConnection or
	// ExtendedReliableConnection.
	Transport uint8
	// EditREQ and EditREP, if there, change what Connect sends.
	EditREQ func(*REQ)
	EditREP func(*REP)
}

// A Conversation is a capture in the making: a client that connects to a
// server, both with the state of their queue pair. Its methods append frames.
type Conversation struct {
	Setup
	Frames Frames

	now            time.Time
	requestStreams [2]requestStream // by the direction of their requests
}

// requestStream is one direction's sequence of requests, and the counts of the host
// that sends it.
type requestStream struct {
	psn    uint32   // of the next request
	last   []uint32 // the PSN of each message's last packet (of a Read, of its last response)
	madPSN uint32   // of the sender's next management datagram
	ipid   uint16   // of the sender's next frame
}

// takePSNs takes n PSNs for the next packets, one after the other.
func (h *requestStream) takePSNs(n int) (first uint32) {
	first = h.psn
	h.psn = add24(first, uint32(n))
	return first
}

// complete ends a message with the PSN taken last.
func (h *requestStream) complete() { h.last = append(h.last, add24(h.psn, minusOne)) }

// msn is the message sequence number of a responder that has taken every
// packet up to a PSN: how many messages are complete.
func (h *requestStream) msn(psn uint32) uint32 {
	for n := len(h.last); n > 0; n-- { // the newest is the likeliest
		if add24(psn, -h.last[n-1]) < 1<<23 {
			return uint32(n)
		}
	}
	return 0
}

// add24 adds PSNs, which have 24 bits.
func add24(a, b uint32) uint32 { return (a + b) & 0xffffff }

// minusOne is what add24 steps back with.
const minusOne = 0xffffff

// A Span are the indexes in a conversation's Frames of what a method appended:
// from First to the one before End.
type Span struct{ First, End int }

// NewConversation begins a conversation without frames.
func NewConversation(s Setup) *Conversation {
	s.Client = s.Client.or(Host{MAC: ClientMAC, Addr: ClientIPv4, QPN: 0x11, PSN: 0x223899, CommID: 0x8dae0ff3,
		GUID: 0x505400fffe000002, UDPPort: 0xc2a1, Port: 0x81b0, IPID: 0x2316, Credits: 128, Private: PrivateData(4096, 4096, true)})
	s.Server = s.Server.or(Host{MAC: ServerMAC, Addr: ServerIPv4, QPN: 0x12, PSN: 0xe2d479, CommID: 0x481ec7f8,
		GUID: 0x505400fffe000001, UDPPort: 0xc2a1, IPID: 0xd88d, Credits: 64, Private: PrivateData(4096, 4096, false)})
	s.PMTU = or(s.PMTU, 1024)
	s.Service = or(s.Service, PortNFS)
	s.Start = or(s.Start, time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC))
	s.Step = or(s.Step, 10*time.Microsecond)
	c := &Conversation{Setup: s, now: s.Start}
	c.requestStreams[ToServer] = requestStream{psn: s.Client.PSN, ipid: s.Client.IPID}
	c.requestStreams[ToClient] = requestStream{psn: s.Server.PSN, ipid: s.Server.IPID}
	return c
}

// or is h with what is zero taken from d.
func (h Host) or(d Host) Host {
	if h.Private == nil {
		h.Private = d.Private
	}
	return Host{
		MAC: or(h.MAC, d.MAC), Addr: or(h.Addr, d.Addr), QPN: or(h.QPN, d.QPN), PSN: or(h.PSN, d.PSN),
		CommID: or(h.CommID, d.CommID), GUID: or(h.GUID, d.GUID), UDPPort: or(h.UDPPort, d.UDPPort), Port: or(h.Port, d.Port),
		IPID: or(h.IPID, d.IPID), Credits: or(h.Credits, d.Credits), Private: h.Private,
	}
}

// hosts are the sender and the receiver of a direction.
func (c *Conversation) hosts(d Direction) (from, to *Host) {
	if d == ToServer {
		return &c.Client, &c.Server
	}
	return &c.Server, &c.Client
}

// Wait lets time pass before the next frame.
func (c *Conversation) Wait(d time.Duration) { c.now = c.now.Add(d) }

// NextPSN is the PSN of the next request of a direction.
func (c *Conversation) NextPSN(d Direction) uint32 { return c.requestStreams[d].psn }

// TakePSN lets a direction's requests go on n PSNs later.
func (c *Conversation) TakePSN(d Direction, n int) { c.requestStreams[d].takePSNs(n) }

// Packet appends any packet of the connection: a BTH, extended headers, a
// payload. A DestQP of 0 in the BTH becomes the receiver's queue pair. The
// PSN is the caller's, and no state of the conversation changes by it.
func (c *Conversation) Packet(d Direction, bth BTH, rest ...Layer) Span {
	_, to := c.hosts(d)
	bth.DestQP = or(bth.DestQP, to.QPN)
	request := bth.OpCode < RCReadResponseFirst || bth.OpCode > RCAtomicAcknowledge && bth.OpCode < UDSendOnly
	layers := []Layer{bth}
	if bth.OpCode < UDSendOnly {
		bth.OpCode |= c.Transport
		layers[0] = bth
		if request && c.Transport == ExtendedReliableConnection {
			layers = append(layers, XRCETH{SRQ: 1})
		}
	}
	return c.append(d, request, append(layers, rest...))
}

// append puts the layers of a transport packet under those of the path and
// the frame into the capture.
func (c *Conversation) append(d Direction, request bool, transport []Layer) Span {
	layers := append(c.path(d), transport...)
	data := RoCE(layers...)
	c.Frames = append(c.Frames, Frame{Time: c.now, Dir: d, Data: data, Length: len(data), layers: transport, request: request})
	c.Wait(c.Step)
	return Span{len(c.Frames) - 1, len(c.Frames)}
}

// path is what lies under the transport, with the sender's next identification.
func (c *Conversation) path(d Direction) []Layer {
	const ect0 = 2 // both hosts take part in congestion notification
	from, to := c.hosts(d)
	layers := []Layer{Ethernet{Src: from.MAC, Dst: to.MAC}, UDP{SrcPort: from.UDPPort}}
	for _, tag := range c.VLANs {
		layers = append(layers, tag)
	}
	id := c.requestStreams[d].ipid
	c.requestStreams[d].ipid++
	switch {
	case c.RoCEv1:
		return append(layers, GRH{SGID: from.Addr, DGID: to.Addr})
	case from.Addr.Is4():
		return append(layers, IPv4{Src: from.Addr, Dst: to.Addr, ID: id, TOS: ect0})
	}
	return append(layers, IPv6{Src: from.Addr, Dst: to.Addr, TrafficClass: ect0})
}

// Retransmit sends the request packets of one direction again, from the frame
// with this index to the last, as a requester does that goes back to a lost
// PSN (go-back-N). On the wire they differ from the first time only in the
// IPv4 identification and what is computed from it.
func (c *Conversation) Retransmit(from int) Span {
	first, d := len(c.Frames), c.Frames[from].Dir
	for _, f := range c.Frames[from:first] {
		if f.Dir == d && f.request {
			c.append(d, true, f.layers)
		}
	}
	return Span{first, len(c.Frames)}
}
