// Package evidence is what the page shows of an RPC or of a finding: what went over the wire,
// and its bytes.
package evidence

import "github.com/rdmacap/rdmacap/dissect/flow"

// An Item is the evidence of an RPC or of a finding: what went over the wire, and
// its bytes.
type Item struct {
	// Row is the index of the RPC's row, -1 if it has none; Finding the key of
	// the finding that it is for, 0 for none: its number is known when the capture is over.
	Row, Finding int
	Title        string
	Ops          []Op
	// Phases are where the time of the RPC went, none if that is not known.
	Phases   []Phase
	Ladder   *Ladder
	Exhibits []Exhibit
}

// An Op is an operation of the RPC.
type Op struct{ Name, Status, Detail string }

// A Phase is what the time of an RPC went to: Word names it among all phases, Name says it to people.
type Phase struct {
	Word, Name string
	// Nanoseconds is -1 if it is not known.
	Nanoseconds int64
	// OfLatency says that it is a part of the latency; others lie before it or after.
	OfLatency bool
}

// A Ladder is what went between the two ends, in the order of the capture.
type Ladder struct {
	Client, Server string
	// Start is the time of the first step, in nanoseconds since the start of the
	// capture.
	Start  int64
	Steps  []Step
	Chunks []Chunk
	// LeftOut is how many more frames there are that were not kept.
	LeftOut int
}

// A Step is a frame of a Ladder, or a run of frames that do the same.
type Step struct {
	// Time is in nanoseconds since the ladder's start, Lasted how long the frames of a
	// run took.
	Time, Lasted int64
	Frame        flow.Ref
	// Frames is how many frames were folded into the step.
	Frames   int
	ToClient bool
	Kind     StepKind
	Text     string
	// Chunk is the index of the chunk that it moves, -1 for none.
	Chunk int
	// Message is "call" or "reply", "" for what is no message of an RPC.
	Message string
	// Odd is what was noticed of it: "retransmission".
	Odd string
	// Hidden is how many frames before it the ladder does not show.
	Hidden int
	// Other says that it is known to be of another RPC than the ladder's, with that XID.
	Other bool
	XID   uint32
	// Bad are the rules whose findings are about it, "" if none is.
	Bad string
}

// A StepKind is what a step does.
type StepKind string

const (
	StepSend        StepKind = "send"
	StepSendInv     StepKind = "send-inv"
	StepReadRequest StepKind = "read-request"
	StepReadData    StepKind = "read-data"
	StepWrite       StepKind = "write"
	StepAtomic      StepKind = "atomic"
	StepACK         StepKind = "ack"
	StepNAK         StepKind = "nak"
	StepRNR         StepKind = "rnr"
	StepCM          StepKind = "cm"
	StepMPA         StepKind = "mpa"
	StepTerminate   StepKind = "terminate"
	StepTCP         StepKind = "tcp"
	StepOther       StepKind = "other"
)

// A Chunk is memory that a message advertised. Kind is "read", "write" or "reply".
type Chunk struct {
	Kind, Label string
	// Step is the index of the step whose message advertised it, -1 if it is not there.
	Step     int
	Segments []Segment
}

// A Segment is a part of a Chunk; Moved are the bytes of it that were moved.
type Segment struct {
	Handle uint32
	Offset uint64
	Length uint32
	Moved  uint64
}

// An Exhibit is a run of bytes and the fields in it.
type Exhibit struct {
	Title string
	// Frame is the frame that it is, or of which it is a part, if Part: the message
	// that it brought. It is the zero Ref where bytes of several are put together.
	Frame flow.Ref
	Part  bool
	// Bytes may be fewer than Length: the rest was not kept, as the Title says.
	Bytes  []byte
	Length int
	Nodes  []Node
	// Bad are the runs of bytes at fault.
	Bad [][2]int
}

// A Node is a field, or a group of them.
type Node struct {
	Name, Value string
	Start, End  int
	Key, Fault  string
	Children    []Node
}
