package flow

// How a connection was made and ended is told in messages of its own, of which each
// end's REQ, REP or MPA frame says what the end is capable of:
//
//	InfiniBand  REQ, REP, RTU ... DREQ, DREP, or REJ      setup_cm.go
//	iWARP       MPA Request, MPA Reply ... FIN or RST     setup_mpa.go

// A Handshake is how a connection was made and ended, as far as it was captured.
type Handshake struct {
	// Declared is what each end reported.
	Declared [2]Declared
	// Steps are the messages of the setup and the end in the order in which they were
	// captured, without those that were captured twice; Left is how many of them in
	// the middle are not kept.
	Steps []Step
	Left  int
	// RTU says that an end reported that it is ready to use.
	RTU bool
	// Again counts the messages of the setup that were sent once more.
	Again int
	// Over is the first step that ends the connection, if Ended.
	Over  Step
	Ended bool
}

// A Declared is what an end reported in its REQ, REP or MPA frame, the last one if that was
// sent again.
type Declared struct {
	// Captured says that this was captured, in a frame at a time in nanoseconds since
	// 1970; Whole, that all of it was, and that nothing is wrong with it.
	Captured, Whole bool
	Frame           Ref
	Time            int64
	// CommID and QPN are the end's name for the connection and its queue pair, of a
	// REQ or REP.
	CommID, QPN uint32
	// PrivateData is the consumer's private data, nil if it is not Whole; Private is
	// their place, of no length if that is not one place of that frame.
	PrivateData []byte
	Private     Place
	// Takes and Issues are how many RDMA Reads the end takes and issues at a time:
	// Responder Resources and Initiator Depth, or IRD and ORD.
	Takes, Issues Term
	// SYNs is how often the end sent its SYN before the other answered, as far as the capture shows, and
	// LastSYN when it did so last, in nanoseconds since 1970. Both are of an MPA frame.
	SYNs    int64
	LastSYN int64
	// StartingPSN is of the first packet that the other end is to send. RNRRetry is
	// how often that is to try again when this one is not ready, 7 for no limit. Both
	// are of a REQ or REP.
	StartingPSN, RNRRetry Term
	// Retry is how often the other end is to try again after a time-out, AckTimeout the
	// Local ACK Timeout, 4.096 µs times that power of two and 0 for none, PathMTU the
	// most bytes of a packet's payload, 0 for a code that is none. All three are of a REQ.
	Retry, AckTimeout, PathMTU Term
}

// A Term is a number that an end reported.
type Term struct {
	Value int
	// At is the offset of its bytes in the frame, and Bytes how many it has, 0 if
	// their place is not known.
	At    uint32
	Bytes uint8
	Known bool
}

// Place is where the bytes of one of its terms stand, of no length if that is not
// known.
func (t *Declared) Place(x Term) Place {
	if x.Bytes == 0 {
		return Place{}
	}
	return Place{t.Frame, int(x.At), int(x.Bytes)}
}

// Depths reports whether the end reported how many RDMA Reads it takes and issues.
func (t *Declared) Depths() bool { return t.Takes.Known && t.Issues.Known }

// A Step is a message of the setup or the end.
type Step struct {
	Name  string // "REQ", "MPA Reply", "RST"
	Frame Ref
	Time  int64 // nanoseconds since 1970
	From  End
	// Again says that it was sent before.
	Again bool
	// Unknown says that it is a TCP RST by which a host answers a segment of a connection that it does not have, or
	// not any more: one without ACK (RFC 9293, section 3.10.7.1).
	Unknown bool
	// Answers says that it answers what the other end sent to end the connection: a DREP, or a FIN that acknowledges
	// one. Where it is the first step that does, the capture lacks that.
	Answers bool
}

// MaxSteps is how many steps of a connection are kept: the first half of them from the
// begin on, then the newest ones.
const MaxSteps = 16

// AddStep adds a step; ends says that it ends the connection.
func (k *Handshake) AddStep(s Step, ends bool) {
	if s.Again && !ends {
		k.Again++
	}
	if ends && !k.Ended {
		k.Over, k.Ended = s, true
	}
	if len(k.Steps) == MaxSteps {
		copy(k.Steps[MaxSteps/2:], k.Steps[MaxSteps/2+1:])
		k.Steps, k.Left = k.Steps[:MaxSteps-1], k.Left+1
	}
	if k.Steps == nil {
		k.Steps = make([]Step, 0, 3) // the setup; many connections stay open
	}
	k.Steps = append(k.Steps, s)
}
