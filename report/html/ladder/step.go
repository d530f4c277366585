package ladder

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Step is what of a frame is remembered for ladders: a packet of InfiniBand, or a
// unit of iWARP. There are many of them, and they are copied: it is small.
type Step struct {
	frame  flow.Ref
	time   int64
	before uint64 // number of the step before it of the same connection, 0 for none
	more   *more  // what few have, nil for others
	// offset and handle are of the memory, for what moves data; length the bytes of
	// payload, or those that are asked for.
	offset uint64
	psn    uint32 // or the message sequence number of iWARP
	handle uint32
	length uint32
	owner  uint32 // XID of the RPC whose memory it moves, if owned
	conn   int32  // 0 for none
	// message is the RPC-over-RDMA message that ends here, if its words are known.
	message messageNumbers
	// bytes of the frame that are kept begin at this one of all that ever were.
	bytes        uint64
	whole        uint32
	unit, unitTo uint32 // of iWARP: the bytes of the unit in the frame, 0 for none
	kept         uint16
	link         link.Type
	flags        link.TCPFlags
	from         flow.End
	kind         kind
	position     rocev2.Position
	note         flow.Note
	syndrome     rocev2.Syndrome
	owned        bool
}

// more is what few steps have.
type more struct {
	text string // where the rest does not say it: setup, Terminate
	name string // of the call that the message is or answers
	own  []byte // the frame's bytes, of a step that is kept beside the trail
}

// messageNumbers is what a message says, in numbers.
type messageNumbers struct {
	xid      uint32
	credits  uint32
	length   uint32
	known    bool
	role     dissect.Role
	version2 bool
	proc     uint8
}

// A kind is what a step does.
type kind uint8

const (
	kindOther kind = iota
	kindSend
	kindSendInv
	kindReadRequest
	kindReadData
	kindWrite
	kindAtomic
	kindACK
	kindCM
	kindMPA
	kindTerminate
	kindTCP
)

// shown is the kind as the page has it.
func (s *Step) shown() evidence.StepKind {
	if s.kind == kindACK {
		switch {
		case s.syndrome.IsRNR():
			return evidence.StepRNR
		case !s.syndrome.IsACK():
			return evidence.StepNAK
		}
	}
	return [...]evidence.StepKind{evidence.StepOther, evidence.StepSend, evidence.StepSendInv, evidence.StepReadRequest, evidence.StepReadData, evidence.StepWrite,
		evidence.StepAtomic, evidence.StepACK, evidence.StepCM, evidence.StepMPA, evidence.StepTerminate, evidence.StepTCP}[s.kind]
}

// Frame names the frame of a step.
func (s *Step) Frame() flow.Ref { return s.frame }
