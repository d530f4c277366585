package stream

// A Segment is what one captured TCP segment brings to the stream. One with RST
// brings nothing, and its sequence number is not always one of the stream: it is
// not for Add.
type Segment[T any] struct {
	// Seq is its sequence number: of its first byte, or of the SYN if it has
	// one.
	Seq uint32
	// Length is its payload in bytes, as it was on the wire.
	Length int
	// Bytes are those captured of the payload, from its front: fewer than
	// Length where the snap length cut it.
	Bytes []byte
	// SYN and FIN are the control bits, each of which takes a sequence number.
	SYN, FIN bool
	// From is what the caller knows of the segment. It is kept by value.
	From T
}

// A Place says how a segment came.
type Place uint8

const (
	Next   Place = iota // in order: it brings what comes next
	Early               // bytes before it are missing so far: what it brings waits
	Filled              // it brings what was missing before what was seen already, or a part of it
	Old                 // it brings nothing new: sent again, captured twice, a keep-alive probe
	Empty               // no payload, in its place: a bare ACK, SYN or FIN
	Far                 // it cannot be of the stream, being more than 1<<30 away from it or after its FIN: ignored
	Anew                // a SYN of another connection: ignored, the caller begins a new Stream with it
)

// String names the place as the constants do.
func (p Place) String() string {
	switch p {
	case Next:
		return "Next"
	case Early:
		return "Early"
	case Filled:
		return "Filled"
	case Old:
		return "Old"
	case Empty:
		return "Empty"
	case Far:
		return "Far"
	case Anew:
		return "Anew"
	}
	return "Place(?)"
}

// A Sink takes the stream in its order. It must not call the Stream that calls
// it.
type Sink[T any] interface {
	// Bytes hands on the next bytes of the stream; from is of the segment
	// that brought them. Both are valid during the call only.
	Bytes(b []byte, from *T)
	// Void says that the next n bytes of the stream were not captured. With
	// snap the snap length cut them off the segment that from is of; else no
	// segment brought them, and from is nil.
	Void(n uint64, snap bool, from *T)
	// End says that the sender has no more to send: its FIN is next.
	End()
}
