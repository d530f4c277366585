package build

import "time"

// IWARPSetup is what an iWARP conversation may be told in advance. The zero
// IWARPSetup is two Linux hosts with Soft-iWARP over IPv4: MPA revision 2 with
// the enhanced setup, no markers, no CRC.
type IWARPSetup struct {
	// Client.Port is the TCP port that the client connects from. Of the private
	// data, the four bytes of the enhanced setup are not part. What a Host has
	// of queue pairs, CM and UDP does not count.
	Client, Server Host
	Service        uint16    // the server's TCP port; 0 is 20049
	Start          time.Time // zero is a moment in 2024
	Step           time.Duration
	VLANs          []VLAN

	// The ISNs are the sequence numbers of the SYNs; 0 is some other one.
	ClientISN, ServerISN uint32
	// MSS is the largest TCP payload of a frame in bytes, with TCP's options
	// taken off; 0 is what an MTU of 1500 leaves: 1448, with IPv6 1428.
	MSS int
	// TSO is the largest TCP payload of a frame in bytes where the capture is
	// taken before the adapter cuts segments, or after one put them together:
	// then all FPDUs of a message stand in as few frames as that allows, while
	// each still fits the MSS. 0 is for none of that, 65160 what Linux does.
	TSO int
	// AckEvery lets a receiver acknowledge by itself after so many segments with
	// bytes, besides where the story does; 0 is for the story alone.
	AckEvery int

	Revision uint8 // of MPA; 0 is 2
	// Plain leaves the enhanced setup out (S is 0), as revision 1 always does.
	Plain bool
	// The depths that a host names; nil is what Linux names: the client IRD 128
	// and ORD 0, the server IRD 0 and ORD 128.
	ClientDepths, ServerDepths *Depths
	// PeerToPeer is A in both start frames, RTR (which means A too) the one RTR
	// that both frames name; Connect appends it.
	PeerToPeer bool
	RTR        RTR
	// MarkersToServer and MarkersToClient say which host asks for markers (M):
	// they are in what goes to it.
	MarkersToServer, MarkersToClient bool
	// CRC is C in both start frames; ClientCRC and ServerCRC set it in one of
	// them, which is enough for CRCs in both directions.
	CRC, ClientCRC, ServerCRC bool
	// MULPDU is the largest ULPDU in bytes; 0 is what the MSS allows.
	MULPDU int
}

// Depths are how many RDMA Reads a host answers, and asks for, at a time
// (RFC 6581, section 9).
type Depths struct{ IRD, ORD uint16 }

// An IWARP conversation is a capture in the making: a client that connects to a
// server by TCP and MPA. Its methods append frames; those that send bytes
// append none yet where Cut holds the bytes back.
type IWARP struct {
	IWARPSetup
	Frames Frames

	now     time.Time
	senders [2]sender // by direction
	laid    Laid      // the last message
}

// sender is one direction of the connection.
type sender struct {
	seq   uint32 // of the next byte
	ipid  uint16 // of the sender's next frame
	clock uint32 // TSval at the start of the story
	tsval uint32 // of the last frame
	// unacked are the segments with bytes that nothing acknowledged yet.
	unacked int
	pending []byte // bytes that wait for Cut's sizes to be full
	sizes   []int

	mpa MPAStream
	msn [4]uint32 // of the last message on each queue
}

// NewIWARP begins a conversation without frames.
func NewIWARP(s IWARPSetup) *IWARP {
	s.Client = s.Client.or(Host{MAC: ClientMAC, Addr: ClientIPv4, Port: 0xcb86, IPID: 0x9a6f, Credits: 128, Private: PrivateData(4096, 4096, true)})
	s.Server = s.Server.or(Host{MAC: ServerMAC, Addr: ServerIPv4, IPID: 0x66d0, Credits: 64, Private: PrivateData(4096, 4096, false)})
	s.Service = or(s.Service, PortNFS)
	s.Start = or(s.Start, time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC))
	s.Step = or(s.Step, 10*time.Microsecond)
	s.ClientISN, s.ServerISN = or(s.ClientISN, 0x3d319c7f), or(s.ServerISN, 0x5593a615)
	if s.MSS == 0 {
		s.MSS = 1448
		if s.Client.Addr.Is6() {
			s.MSS = 1428
		}
	}
	s.Revision = or(s.Revision, 2)
	s.ClientDepths, s.ServerDepths = or(s.ClientDepths, &Depths{IRD: 128}), or(s.ServerDepths, &Depths{ORD: 128})

	c := &IWARP{IWARPSetup: s, now: s.Start}
	crc := s.CRC || s.ClientCRC || s.ServerCRC
	c.senders[ToServer] = sender{seq: s.ClientISN + 1, ipid: s.Client.IPID, clock: 0x71a414e2,
		mpa: MPAStream{Markers: s.MarkersToServer, CRC: crc}}
	c.senders[ToClient] = sender{seq: s.ServerISN + 1, ipid: s.Server.IPID, clock: 0x368b1a16,
		mpa: MPAStream{Markers: s.MarkersToClient, CRC: crc}}
	return c
}

// hosts are the sender and the receiver of a direction.
func (c *IWARP) hosts(d Direction) (from, to *Host) {
	if d == ToServer {
		return &c.Client, &c.Server
	}
	return &c.Server, &c.Client
}

// Wait lets time pass before the next frame.
func (c *IWARP) Wait(d time.Duration) { c.now = c.now.Add(d) }

// NextSeq is the sequence number of the next byte that a direction sends.
func (c *IWARP) NextSeq(d Direction) uint32 { return c.senders[d].seq }

// NextMSN is the message sequence number of the next message of a direction on
// a queue.
func (c *IWARP) NextMSN(d Direction, qn uint32) uint32 { return c.senders[d].msn[qn] + 1 }

// span is everything appended since the frame with index first.
func (c *IWARP) span(first int) Span { return Span{first, len(c.Frames)} }
