package flow

// A Sink receives what a Tracker finds, in the order of each direction's PSNs.
// What it is handed is valid only during the call, but for the Conn.
type Sink interface {
	// Opened announces a connection before anything else of it.
	Opened(c *Conn)
	// Send is called when the last packet of a Send was seen, or when it is
	// settled that the rest of it will not come.
	Send(c *Conn, m *Send)
	// Write is called for each packet or DDP segment of an RDMA Write.
	Write(c *Conn, w *Write)
	// Read is called for an RDMA Read request; ReadData for each packet or DDP
	// segment of its responses that brings bytes not seen before.
	Read(c *Conn, r *Read)
	ReadData(c *Conn, r *Read, d *ReadData)
	// FrameDone is called once for every frame of a connection after its
	// events, so that a Sink can give up waiting for what was lost.
	FrameDone(c *Conn)
	// Closed is the last event of a connection.
	Closed(c *Conn)
}

// A Send is one Send message, or the front of one.
type Send struct {
	// From is the end that sent it.
	From End
	// Bytes is the message; only its front if Whole is false.
	Bytes []byte
	// Point is its place among the others.
	Point Point
	// Length is its length on the wire as far as it was seen; more than
	// len(Bytes) where the snap length cut frames or the message is larger
	// than any receive buffer of RPC-over-RDMA.
	Length int
	// Whole says that Bytes is the whole message.
	Whole bool
	// Missing says, if not Whole, what is missing.
	Missing string
	// Frames are the frames that carried it; First and Last the times of the
	// first and the last of them.
	Frames      []Ref
	First, Last int64
	// Pieces are the places of Bytes in the frames, in their order. Bytes of
	// which no place is known have none.
	Pieces []Piece
	// Invalidate is the R_key or STag of a Send with Invalidate, if HasInvalidate.
	Invalidate    uint32
	HasInvalidate bool
}

// A Write is one packet of an RDMA Write, or one DDP segment of it.
type Write struct {
	From   End
	Handle uint32 // R_key or STag
	Offset uint64 // virtual address or TO of the first byte
	Length int    // bytes on the wire
	Bytes  []byte // those captured
	Frames []Ref  // that carried it
	Time   int64  // of the last of them
	// Point is the message's place among the others, with the packet as its last.
	Point Point
	// Place is that of the header which names the memory: the RETH, 16 bytes,
	// also where the First packet had it; over iWARP the tagged DDP header from
	// its control byte on, 14 bytes. It ends where another frame or a marker
	// parts the header.
	Place Place
	// Start says that the RDMA Write message begins with it. Over iWARP that is
	// false also where what came before it is not known.
	Start bool
	// Announced is how many bytes the whole RDMA Write message brings, the
	// DMALen of the RETH; 0 over iWARP, which does not say so.
	Announced uint32
}

// A Read is an RDMA Read request and how far it was answered.
type Read struct {
	From     End    // the requester
	Handle   uint32 // R_key or STag of the memory to be read
	Offset   uint64 // virtual address or TO
	Received uint64 // bytes seen, each counted once
	Length   uint32 // bytes
	// Point is its place among the others: its PSN is that of its first response too.
	Point Point
	// Ref is the frame that brought the (last of the) request, Time its time.
	Ref  Ref
	Time int64
	// Frames are all that carried the request, during Sink.Read only.
	Frames []Ref
	// Place is that of the header which names the memory: the RETH, 16 bytes;
	// over iWARP SrcSTag and SrcTO of the RDMA Read Request, 12 bytes. It ends
	// where another frame or a marker parts them.
	Place Place
	// User is for the Sink; it is cleared when the request is forgotten.
	User any
}

// ReadData is one packet, or one DDP segment, of an RDMA Read's responses.
type ReadData struct {
	At     uint64 // offset in the data of the Read request
	Length int    // bytes on the wire
	Bytes  []byte // those captured
	Frames []Ref  // that carried it
	Time   int64  // of the last of them
}

// A Verdict says what the tracker made of one frame.
type Verdict struct {
	// Conn is the frame's connection, nil if it has none (yet).
	Conn *Conn
	// From is the sending end, if Conn is not nil.
	From End
	// Waiting says that the frame is kept until its connection or the frames
	// before it are known; what it carries comes with a later frame.
	Waiting bool
	// Note is what was noticed of its order.
	Note Note
	// Missing is the number of PSNs, or over TCP of bytes, missing directly before
	// this frame, with Gap; 0 after a gap that was noted before.
	Missing int
	// Units are the MPA frames and FPDUs that end in this frame, or with it: if
	// track.Options.Units asks for them. They are valid until the next frame is taken.
	Units []Unit
	// Faulty says that one of them is malformed.
	Faulty bool
}

// A Note is what is noticed of a frame's place among the others.
type Note uint8

const (
	InOrder        Note = iota
	Gap                 // it waits for frames before it that are missing so far
	Retransmission      // sent again
	LostOnWire          // sent again, and the first one never reached the capture
	Duplicate           // captured twice
	Reordered           // captured later than a frame that was sent after it
	Stale               // of a connection that has ended
	Corrupt             // its ICRC is wrong, so the receiver drops it
)

// String is the note for a person, "" for InOrder.
func (n Note) String() string {
	switch n {
	case Gap:
		return "waits for a missing frame"
	case Retransmission:
		return "retransmission"
	case LostOnWire:
		return "retransmission, the first was lost on the wire"
	case Duplicate:
		return "captured twice"
	case Reordered:
		return "captured out of order"
	case Corrupt:
		return "the receiver drops it"
	case Stale:
		return "after the disconnect"
	}
	return ""
}

// Whole reports whether every byte of the response was seen.
func (r *Read) Whole() bool { return r.Received == uint64(r.Length) }
