package flow

import (
	"cmp"
	"strconv"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/list"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Ref names a captured frame: the index of its file and its 1-based number
// in it.
type Ref struct {
	File   int
	Number int64
}

// Name is what people call the frame: its number, and after a point if there are
// several files: 0.576 is frame 576 of the first one.
func (r Ref) Name(several bool) string {
	number := strconv.FormatInt(r.Number, 10)
	if several {
		return strconv.Itoa(r.File) + "." + number
	}
	return number
}

// An End indexes the two ends of a connection. Which of them is the client is
// Conn.ClientEnd's to say.
type End uint8

// Peer is the other end.
func (e End) Peer() End { return 1 - e }

// An Endpoint is one end of a connection.
type Endpoint struct {
	Addr link.Addr
	// Port is the port of the IP CM service or of TCP, 0 if unknown.
	Port uint16
	// QPN is the queue pair that packets to this end name; valid if HasQPN.
	QPN    uint32
	HasQPN bool
	// PrivateData is the consumer's private data that this end sent in its
	// REQ or REP, or in its MPA frame after what MPA itself has there; nil if
	// that was not captured.
	PrivateData []byte
}

// Setup says how a connection became known.
type Setup uint8

const (
	SetupInferred Setup = iota // the capture began later
	SetupCM                    // InfiniBand connection management
	SetupMPA                   // MPA Request and Reply, over TCP
)

// String is the word of the JSON contract.
func (s Setup) String() string {
	switch s {
	case SetupCM:
		return "cm"
	case SetupMPA:
		return "mpa"
	}
	return "inferred"
}

// Closing says how a connection ended.
type Closing uint8

const (
	Open         Closing = iota // not ended within the capture
	Disconnected                // DREQ or DREP; over TCP a FIN
	Rejected                    // REJ, or an MPA Reply that rejects
	Terminated                  // an RDMAP Terminate
	Reset                       // a TCP RST
	Replaced                    // the setup of another connection names its queue pairs or ports; no disconnect was captured
)

// String is the word of the JSON contract.
func (c Closing) String() string {
	switch c {
	case Disconnected:
		return "disconnect"
	case Terminated:
		return "terminate"
	case Rejected, Reset, Replaced:
		return "reset"
	}
	return "open"
}

// Counters count frames of a connection.
type Counters struct {
	// Frames and Bytes count all frames, their bytes on the wire.
	Frames, Bytes int64
	// Retransmissions are frames that the sender sent again.
	Retransmissions int64
	// LostOnWire are frames that were lost before they reached the capture
	// and were sent again.
	LostOnWire int64
	// LostInCapture are frames that the network delivered and the capture
	// lacks, as far as it proves them: a PSN of which it has neither the request
	// nor a response, and which the receiver acknowledged.
	LostInCapture int64
	// Duplicates are frames captured twice, as a mirror of both sides of a
	// port gives them; Reordered are frames captured out of their order.
	Duplicates, Reordered int64
	// Skewed are frames that were captured after what acknowledges them, or
	// answers them otherwise, though their direction has them in order: the two
	// directions are not in step. Each was captured for the first time; what the
	// other counters count is not among them. One of which the capture lacks the
	// first, and that was retransmitted, looks the same: over InfiniBand it counts
	// until the receiver acknowledges it once more, over TCP not at all if there
	// are time stamps, else if it comes within 10 ms. Zero does not prove that the
	// directions are in step.
	Skewed int64
	// NAKs and RNRs are the negative acknowledgements, of both ends.
	NAKs, RNRs int64
	// BadCRC are the FPDUs whose CRC is wrong, where it is in use.
	BadCRC int64
}

// A Conn is a connection between two queue pairs, or what is known of it. What each
// frame needs comes first.
type Conn struct {
	// User is for the Sink: what it keeps of the connection.
	User    any
	carrier Carrier // what carries it
	// First and Last are the frames that it spans, FirstTime and LastTime
	// their times in nanoseconds since 1970.
	First, Last         Ref
	FirstTime, LastTime int64
	file                int   // the last in the order of the files
	lastSeen            int64 // frame count at its last frame
	// Transport is what carries it; link.IWARP over TCP.
	Transport link.Transport
	// ClientEnd is the end that opened the connection, or that sends NFS
	// calls; a guess until RolesKnown.
	ClientEnd  End
	RolesKnown bool
	// Setup and Closing say how it began and ended.
	Setup   Setup
	Closing Closing
	// Established is false while only a REQ without REP was seen.
	Established bool
	// Mixed says that the connection has frames of several files that were
	// captured at a time, as the two directions of it may be: their clocks differ,
	// and so may the order of what came from one and the other. Of a capture that
	// was cut into files, which follow one another, it is false.
	Mixed bool
	// Unread says that the capture has parts of the connection that could not be
	// read: what they asked for or brought is not known.
	Unread bool
	// LeftOut says that the capture is a copy in which frames of the connection were left out, as
	// those of other RPCs are: what it lacks was captured.
	LeftOut bool
	// LetGo says that it was not followed to its end: to do that took too long, or too
	// much memory.
	LetGo bool
	// Ousted says that it was closed to make room for others, while the capture went on: what
	// still came of it is of a connection found anew.
	Ousted bool
	// Coming is how the frame came whose events the Sink receives: LostOnWire if it was lost on
	// its way and sent again, which holds up what waits after it too, else InOrder.
	Coming         Note
	opened, closed bool
	// RejectReason is why it was rejected, with Closing Rejected.
	RejectReason rocev2.RejectReason
	// Termination is what the Terminate says that ended it, with Closing
	// Terminated, and TerminatedBy its sender.
	TerminatedBy End
	Termination  *iwarp.Termination
	// PathMTU is the largest payload of a packet in bytes, 0 while unknown.
	PathMTU int
	Counters
	Gaps
	// ID is the 1-based number of the connection.
	ID int
	// Ends are its two ends. With SetupCM, end 0 sent the REQ; with SetupMPA,
	// the MPA Request.
	Ends [2]Endpoint
	// Handshake is how it was made and ended, message by message. What a frame says is
	// there when its Verdict is.
	Handshake Handshake
	// ServiceID is that of the REQ, 0 if unknown; Service names its port
	// ("NFS/RDMA"), "" if unknown.
	ServiceID uint64
	Service   string
	// Before are the frames among Frames that were taken before it was known
	// that they are of an RDMA connection: the TCP handshake.
	Before int64

	keeper  Keeper // who finds it
	closeAt int64  // frame count at which a disconnected connection is let go
	listed  int64  // lastSeen when it was put in the list of open connections
	// claimedAt is the same for the list of claims.
	claimedAt int64
	setupSeq  int64 // frame count at its first frame
	made      int64 // its place among those of its shard
	madeAt    int64 // the ordinal of the frame at which it was made
	open      list.Element[Conn]
	claimed   list.Element[Conn]
}

// Client and Server are the two ends by role.
func (c *Conn) Client() *Endpoint { return &c.Ends[c.ClientEnd] }

// Server is the end that accepted the connection.
func (c *Conn) Server() *Endpoint { return &c.Ends[c.ClientEnd.Peer()] }

// IWARP reports whether the connection is one of iWARP, over TCP.
func (c *Conn) IWARP() bool {
	return c.carrier != nil && c.carrier.IWARP()
}

// TransportService is that of its packets: RC, UC or XRC; RC over TCP.
func (c *Conn) TransportService() rocev2.Transport {
	if c.carrier == nil {
		return rocev2.TransportRC
	}
	return c.carrier.TransportService()
}

// IsClosed reports whether the Sink was told that the connection is closed.
func (c *Conn) IsClosed() bool { return c.closed }

// Carrier is what carries the connection.
func (c *Conn) Carrier() Carrier { return c.carrier }

// ToServer reports whether what end sends travels to the server.
func (c *Conn) ToServer(sender End) bool { return sender == c.ClientEnd }

// SetClient settles which end is the client, when what the ends say to each
// other shows it and no connection management was seen.
func (c *Conn) SetClient(e End) {
	if c.RolesKnown {
		return
	}
	c.ClientEnd, c.RolesKnown = e, true
}

// OneWay reports whether only one direction was captured.
func (c *Conn) OneWay() bool { return c.carrier == nil || c.carrier.OneWay() }

// Compare orders frames by file and number.
func (r Ref) Compare(o Ref) int {
	if r.File != o.File {
		return cmp.Compare(r.File, o.File)
	}
	return cmp.Compare(r.Number, o.Number)
}
