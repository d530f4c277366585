package flow

import "github.com/rdmacap/rdmacap/rocev2"

// maxSend is how many octets of a Send are kept: the largest receive buffer
// that RFC 8797 can announce. Longer ones are another protocol's.
const maxSend = 256 << 10

// maxAssembled bounds the buffers of all halves for Sends of several packets,
// in octets.
const maxAssembled = 64 << 20

// message is the Send or RDMA Write that a half is in the middle of.
type message struct {
	kind   rocev2.Kind // KindSend, KindWrite, or 0 for none
	send   Send
	octets []byte // the Send's, when it has several packets
	cut    string // why octets lack something from here on, "" if they do not
	handle uint32 // the Write's
	offset uint64
	left   uint64
	length uint32 // the Write's, as its RETH announces it
	place  Place  // of that
	point  Point  // of both
	one    [1]Ref
	frames []Ref
	pieces []Piece
}

// newMessage is where a message is put together that begins: whole says that
// nothing comes behind this, and that it need not be kept. A direction that has only
// such messages has none of its own.
func (e *shared) newMessage(own **message, whole bool) *message {
	if *own != nil && e.assembled > maxAssembled/2 {
		e.dropBuffer(*own)
	}
	switch {
	case whole:
		return &e.message
	case *own == nil:
		*own = new(message)
	}
	return *own
}

func (m *message) begin(kind rocev2.Kind) {
	m.kind = kind
	m.octets, m.frames, m.pieces = m.octets[:0], m.frames[:0], m.pieces[:0]
	m.cut = ""
}

// locate notes where octets of the Send lie, given from a start in it on.
func (m *message) locate(start int, pieces []Piece) {
	for _, p := range pieces {
		p.Start += start
		if n := len(m.pieces); n > 0 && m.pieces[n-1].adjoins(&p) {
			m.pieces[n-1].Length += p.Length
		} else if p.Length > 0 && n < maxPieces {
			m.pieces = append(m.pieces, p)
		}
	}
}

// assemble adds a packet to a Send of several, and why what it lacks was not
// captured; behind a cut nothing is kept, since its place would be wrong. It
// reports whether the packet's octets were kept.
func (e *shared) assemble(m *message, payload []byte, cut string, frames ...Ref) (kept bool) {
	for _, r := range frames {
		if n := len(m.frames); n < maxSend/256 && (n == 0 || m.frames[n-1] != r) {
			m.frames = append(m.frames, r)
		}
	}
	need, had := len(m.octets)+len(payload), cap(m.octets)
	switch {
	case m.cut != "":
		return false
	case need > maxSend:
		m.cut = "it is larger than any receive buffer of RPC-over-RDMA"
		return false
	case need > had && e.assembled > maxAssembled:
		m.cut = "too many messages are on their way at once"
		return false
	}
	m.octets = append(m.octets, payload...)
	m.cut = cut
	e.assembled += cap(m.octets) - had
	return true
}

const cutBySnap = "the snap length cut its frames"

// dropBuffer gives the buffer back that former Sends left, if there is one.
func (e *shared) dropBuffer(m *message) {
	if m == nil {
		return
	}
	e.assembled -= cap(m.octets)
	m.octets = nil
}
