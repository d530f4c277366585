package report

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A step is what of a frame is remembered for ladders: a packet of InfiniBand, or a
// unit of iWARP.
type step struct {
	frame  flow.Ref
	time   int64
	before uint64 // number of the step before it of the same connection, 0 for none
	text   string // where the rest does not say it: set-up, Terminate
	// offset and handle are of the memory, for what moves data; length the octets of
	// payload, or those that are asked for.
	offset uint64
	psn    uint32 // or the message sequence number of iWARP
	handle uint32
	length uint32
	conn   int32 // 0 for none
	// message is the RPC-over-RDMA message that ends here, if its words are known.
	message saying
	// octets of the frame that are kept begin at this one of all that ever were.
	octets       uint64
	kept, whole  uint32
	unit, unitTo uint32 // of iWARP: the octets of the unit in the frame, 0 for none
	link         link.Type
	from         flow.End
	kind         trailKind
	position     rocev2.Position
	note         flow.Note
	syndrome     rocev2.Syndrome
	flags        link.TCPFlags
	own          []byte // the frame's octets, of a step that is kept beside the trail
}

// saying is what a message says, in numbers.
type saying struct {
	known    bool
	role     dissect.Role
	version2 bool
	proc     uint8
	xid      uint32
	credits  uint32
	length   uint32
}

// A trailKind is what a step does.
type trailKind uint8

const (
	trailOther trailKind = iota
	trailSend
	trailSendInv
	trailReadRequest
	trailReadData
	trailWrite
	trailAtomic
	trailACK
	trailCM
	trailMPA
	trailTerminate
	trailTCP
)

// stepKind is the kind as the page has it.
func (s *step) stepKind() page.StepKind {
	if s.kind == trailACK {
		switch {
		case s.syndrome.IsRNR():
			return page.StepRNR
		case !s.syndrome.IsACK():
			return page.StepNAK
		}
	}
	return [...]page.StepKind{page.StepOther, page.StepSend, page.StepSendInv, page.StepReadRequest, page.StepReadData, page.StepWrite,
		page.StepAtomic, page.StepACK, page.StepCM, page.StepMPA, page.StepTerminate, page.StepTCP}[s.kind]
}

const (
	// trailSteps is how many steps are remembered, of all connections.
	trailSteps = 1 << 16
	// trailOctets is how many octets of frames are.
	trailOctets = 16 << 20
	// dataOctets is how much is kept of a frame that only moves data: its headers.
	// otherOctets is that of all others.
	dataOctets  = 128
	otherOctets = 8 << 10
)

// A trail is the last frames, as a ring.
type trail struct {
	steps  []step
	next   uint64 // number of the next step, from 1
	octets []byte
	at     uint64 // number of the next octet
}

func newTrail() *trail {
	return &trail{steps: make([]step, trailSteps), next: 1, octets: make([]byte, trailOctets)}
}

// add returns the place of the next step, with its number.
func (t *trail) add() (s *step, number uint64) {
	number = t.next
	t.next++
	s = &t.steps[number%trailSteps]
	*s = step{}
	return s, number
}

// get is a step by its number, nil if it is forgotten.
func (t *trail) get(number uint64) *step {
	if number == 0 || number+trailSteps < t.next || number >= t.next {
		return nil
	}
	return &t.steps[number%trailSteps]
}

// keep copies octets of a frame, and returns where they are.
func (t *trail) keep(data []byte) (at uint64) {
	if len(data) == 0 {
		return t.at
	}
	if rest := trailOctets - int(t.at%trailOctets); rest < len(data) {
		t.at += uint64(rest) // a run of octets is in one piece
	}
	at = t.at
	copy(t.octets[at%trailOctets:], data)
	t.at += uint64(len(data))
	return at
}

// data are the octets of a step's frame that are still there, nil if they are not.
func (t *trail) data(s *step) []byte {
	if s.own != nil {
		return s.own
	}
	if s.kept == 0 || s.octets+trailOctets < t.at {
		return nil
	}
	at := s.octets % trailOctets
	return t.octets[at : at+uint64(s.kept)]
}
