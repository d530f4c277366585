package flow

import "github.com/rdmacap/rdmacap/rocev2"

// MaxSend is how many bytes of a Send are kept: the largest receive buffer
// that RFC 8797 can announce. Longer ones are another protocol's.
const MaxSend = 256 << 10

// A Message is the Send or RDMA Write that one direction is in the middle of.
type Message struct {
	Kind  rocev2.Kind // KindSend, KindWrite, or 0 for none
	Send  Send
	Bytes []byte // the Send's, when it has several packets
	Cut   string // why Bytes lacks something from here on, "" if it does not
	// Handle, Offset and Left are an RDMA Write's: its R_Key, where its next byte
	// belongs, and how many are still to come. Over iWARP Handle is the MSN of a Send.
	Handle uint32
	Offset uint64
	Left   uint64
	Length uint32  // the Write's in bytes, as its RETH announces it
	Place  Place   // of that RETH
	Point  Point   // of either
	One    [1]Ref  // room for Send.Frames of a single packet
	Frames []Ref   // those that carried the Send so far
	Pieces []Piece // the places of Bytes
}

// NewMessage is where a message is put together that begins: whole says that
// nothing comes after this, and that it need not be kept. A direction that has only
// such messages has none of its own.
func (e *Shared) NewMessage(own **Message, whole bool) *Message {
	if *own != nil && e.Assembled > e.Limits.Assembled/2 {
		e.DropBuffer(*own)
	}
	switch {
	case whole:
		return &e.message
	case *own == nil:
		*own = new(Message)
	}
	return *own
}

// Begin begins a message of that kind, and forgets the one before.
func (m *Message) Begin(kind rocev2.Kind) {
	m.Kind = kind
	m.Bytes, m.Frames, m.Pieces = m.Bytes[:0], m.Frames[:0], m.Pieces[:0]
	m.Cut = ""
}

// Locate notes where bytes of the Send lie, given from a start in it on.
func (m *Message) Locate(start int, pieces []Piece) {
	for _, p := range pieces {
		p.Start += start
		if n := len(m.Pieces); n > 0 && m.Pieces[n-1].adjoins(&p) {
			m.Pieces[n-1].Length += p.Length
		} else if p.Length > 0 && n < MaxPieces {
			m.Pieces = append(m.Pieces, p)
		}
	}
}

// Assemble adds a packet to a Send of several, and why what it lacks was not
// captured; after a cut nothing is kept, since its place would be wrong. It
// reports whether the packet's bytes were kept.
func (e *Shared) Assemble(m *Message, payload []byte, cut string, frames ...Ref) (kept bool) {
	for _, r := range frames {
		if n := len(m.Frames); n < MaxSend/256 && (n == 0 || m.Frames[n-1] != r) {
			m.Frames = append(m.Frames, r)
		}
	}
	need, had := len(m.Bytes)+len(payload), cap(m.Bytes)
	switch {
	case m.Cut != "":
		return false
	case need > MaxSend:
		m.Cut = "it is larger than any RPC-over-RDMA receive buffer"
		return false
	case need > had && e.Assembled > e.Limits.Assembled:
		m.Cut = "too many messages are in flight at a time"
		return false
	}
	if had == 0 {
		m.Bytes, e.spare = e.spare, nil
	}
	m.Bytes = append(m.Bytes, payload...)
	m.Cut = cut
	e.Assembled += cap(m.Bytes) - had
	return true
}

// CutBySnap is why a message whose frames the snap length cut is not whole.
const CutBySnap = "the snap length cut its frames"

// DropBuffer gives the buffer back that former Sends left, if there is one.
func (e *Shared) DropBuffer(m *Message) {
	if m == nil {
		return
	}
	e.Assembled -= cap(m.Bytes)
	const most = 64 << 10
	if n := cap(m.Bytes); n > cap(e.spare) && n <= most {
		e.spare = m.Bytes[:0]
	}
	m.Bytes = nil
}
