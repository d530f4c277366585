package page

// An Item is the evidence of an RPC or of a finding: what went over the wire, and
// its octets.
type Item struct {
	// Row is the index of the RPC's row, -1 if it has none; Finding the number of
	// the finding that it is for, 0 for none.
	Row, Finding int
	Title        string
	Ops          []Op
	Ladder       *Ladder
	Exhibits     []Exhibit
}

// An Op is an operation of the RPC.
type Op struct{ Name, Status, Detail string }

// A Ladder is what went between the two ends, in the order of the capture.
type Ladder struct {
	Client, Server string
	// Start is the time of the first step, in nanoseconds since the start of the
	// capture.
	Start  int64
	Steps  []Step
	Chunks []Chunk
	// LeftOut is how many more steps there are that were not kept.
	LeftOut int
}

// A Step is a frame of a Ladder, or a run of frames that do the same.
type Step struct {
	// Time is in nanoseconds since the ladder's start.
	Time  int64
	Frame Frame
	// Frames is how many frames were folded into the step.
	Frames   int
	ToClient bool
	Kind     StepKind
	Text     string
	Octets   int64
	// Chunk is the index of the chunk that it moves, -1 for none.
	Chunk int
	// Message is "call" or "reply", "" for what is no message of an RPC.
	Message string
	// Odd is what was noticed of it: "retransmission".
	Odd string
	Bad bool
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

// A Segment is a part of a Chunk; Moved are the octets of it that were moved.
type Segment struct {
	Handle uint32
	Offset uint64
	Length uint32
	Moved  uint64
}

// An Exhibit is a run of octets and the fields in it.
type Exhibit struct {
	Title string
	// Frame is the frame that it is, the zero Frame where it is a message put
	// together from several.
	Frame Frame
	// Octets may be fewer than Length: the rest was not kept, as the Title says.
	Octets []byte
	Length int
	Nodes  []Node
	// Bad are the runs of octets at fault.
	Bad [][2]int
}

// A Node is a field, or a group of them.
type Node struct {
	Name, Value string
	Start, End  int
	Key, Fault  string
	Children    []Node
}

// about is how long its JSON will be.
func (i *Item) about() int64 {
	n := 200 + 80*len(i.Ops)
	if l := i.Ladder; l != nil {
		n += 100 + 180*len(l.Steps) + 150*len(l.Chunks)
	}
	for k := range i.Exhibits {
		e := &i.Exhibits[k]
		n += 100 + 2*len(e.Octets) + aboutNodes(e.Nodes)
	}
	return int64(n)
}

func aboutNodes(list []Node) (n int) {
	for i := range list {
		n += 70 + aboutNodes(list[i].Children)
	}
	return n
}

// appendTo appends an item as JSON.
func (i *Item) appendTo(j *buffer, several bool) {
	j.open('{')
	j.intOf("row", int64(i.Row))
	j.intOf("finding", int64(i.Finding))
	j.strOf("title", i.Title)
	j.name("ops")
	j.open('[')
	for _, o := range i.Ops {
		j.open('{')
		j.strOf("op", o.Name)
		j.strOf("status", o.Status)
		j.strOf("detail", o.Detail)
		j.close('}')
	}
	j.close(']')
	j.name("ladder")
	if i.Ladder == nil {
		j.null()
	} else {
		i.Ladder.appendTo(j, several)
	}
	j.name("exhibits")
	j.open('[')
	for n := range i.Exhibits {
		i.Exhibits[n].appendTo(j, several)
	}
	j.close(']')
	j.close('}')
}

func (l *Ladder) appendTo(j *buffer, several bool) {
	j.open('{')
	j.strOf("client", l.Client)
	j.strOf("server", l.Server)
	j.intOf("start", l.Start)
	j.name("steps")
	j.open('[')
	for n := range l.Steps {
		l.Steps[n].appendTo(j, several)
	}
	j.close(']')
	j.name("chunks")
	j.open('[')
	for _, c := range l.Chunks {
		j.open('{')
		j.strOf("kind", c.Kind)
		j.strOf("label", c.Label)
		j.intOf("step", int64(c.Step))
		j.name("segments")
		j.open('[')
		for _, s := range c.Segments {
			j.open('{')
			j.intOf("handle", int64(s.Handle))
			j.name("offset")
			j.whole(s.Offset)
			j.intOf("length", int64(s.Length))
			j.name("moved")
			j.uint(s.Moved)
			j.close('}')
		}
		j.close(']')
		j.close('}')
	}
	j.close(']')
	j.intOf("left_out", int64(l.LeftOut))
	j.close('}')
}

func (s *Step) appendTo(j *buffer, several bool) {
	j.open('{')
	j.intOf("t", s.Time)
	j.intOf("f", s.Frame.Number)
	if several {
		j.intOf("file", int64(s.Frame.File))
	}
	j.intOf("n", int64(max(s.Frames, 1)))
	j.intOf("d", bit(s.ToClient))
	j.strOf("k", string(s.Kind))
	j.strOf("x", s.Text)
	j.intOf("l", s.Octets)
	j.intOf("c", int64(s.Chunk))
	j.strOf("m", s.Message)
	j.strOf("o", s.Odd)
	j.intOf("bad", bit(s.Bad))
	j.close('}')
}

func (e *Exhibit) appendTo(j *buffer, several bool) {
	j.open('{')
	j.strOf("title", e.Title)
	j.intOf("f", e.Frame.Number)
	if several {
		j.intOf("file", int64(e.Frame.File))
	}
	j.name("octets")
	j.hex(e.Octets)
	j.intOf("length", int64(e.Length))
	j.name("nodes")
	appendNodes(j, e.Nodes)
	j.name("bad")
	j.open('[')
	for _, b := range e.Bad {
		j.open('[')
		j.int(int64(b[0]))
		j.int(int64(b[1]))
		j.close(']')
	}
	j.close(']')
	j.close('}')
}

// appendNodes appends nodes as [name, value, start, end, key, fault, children or 0].
func appendNodes(j *buffer, list []Node) {
	j.open('[')
	for i := range list {
		n := &list[i]
		j.open('[')
		j.str(n.Name)
		j.str(n.Value)
		j.int(int64(n.Start))
		j.int(int64(n.End))
		j.str(n.Key)
		j.str(n.Fault)
		if len(n.Children) == 0 {
			j.int(0)
		} else {
			appendNodes(j, n.Children)
		}
		j.close(']')
	}
	j.close(']')
}
