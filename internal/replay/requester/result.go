package requester

import (
	"net/netip"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// A Result is what became of a replay.
type Result struct {
	// Connection is the number of the captured connection, 0 if only one was replayed.
	Connection  int
	Device      transport.Device
	Local, Peer netip.AddrPort
	// Server is what the server said in its private data, nil if nothing of RFC 8797.
	Server *rpcrdma.PrivateData
	// Way is how the server may invalidate handles; Cleared says that R was cleared in the
	// private data since the device has no way.
	Way     wire.Invalidation
	Cleared bool
	// Exchanges are the calls, in the order in which they were to be sent.
	Exchanges []*Exchange
	// ReverseCalls are the server's calls (RFC 8167).
	ReverseCalls []ReverseCall
	// Own are the calls of the replay's own, for a capture that begins late.
	// Assumed is what was taken for granted for them, and Lacking what no name leads to, a line each.
	Own              []OwnCall
	Assumed, Lacking []string
	// Ended is why the replay did not come to its end, nil if it did.
	Ended error
	// Began is when the first call was sent, Elapsed how long it took from there to the last
	// reply, Waited how long of this the server had asked to wait.
	Began           time.Time
	Elapsed, Waited time.Duration
	// Registered is the most bytes that were registered for segments at once, Open the most
	// calls that were open.
	Registered int64
	Open       int
	// Grant is the last credit grant, Unexpected counts messages that answer no open call.
	Grant      uint32
	Unexpected int
}

// An Outcome says how far a call came.
type Outcome uint8

// The outcomes.
const (
	NotSent  Outcome = iota // Exchange.Why says why
	NoReply                 // it was sent
	Answered                // by a reply or an RDMA_ERROR
)

func (o Outcome) String() string { return [...]string{"not sent", "no reply", "answered"}[o] }

// An Exchange is a call that was replayed.
type Exchange struct {
	Call    *script.Call
	Outcome Outcome
	// Why says why it was not sent, or has no reply.
	Why string
	// XID is that of the transport header that was sent last.
	XID uint32
	// Status is the live reply's, in the words of the program or of RPC.
	Status string
	// Differences are what of the reply is not as captured, More how many are left out.
	Differences []Difference
	More        int
	// Latency is the time from the Send to the reply.
	Latency time.Duration
	// Retries is how often the server asked to try again; MadeUp how many bytes of the
	// call's Read chunks the capture lacks.
	Retries int
	MadeUp  uint64
	// Notes are what else is to be reported of it; Unbound are items that the binder could not
	// replace.
	Notes   []string
	Unbound []bind.Unbound
	// Invalidated is how many of its segments the server invalidated.
	Invalidated int
	// Closed says that the connection was closed before a reply, as in the capture.
	Closed bool
	// Retransmission says that it was sent on an earlier connection too, with the same XID.
	Retransmission bool

	message  *script.Message
	prepared *prepared
	bound    *bind.Call
	again    bool // bound has other bytes for another try
	memory   []*wire.Advertised
	answer   *answer // the reply, until it is compared
	ready    []byte  // what is to be sent, if it was built beforehand
	sent     time.Time
	due      time.Time // of the next try
	over     bool
	retrying time.Duration
	first    *Exchange // of which this is the retransmission
	rpcXID   uint32    // that of the RPC message that was sent last
}

// Same reports whether the call was answered as in the capture, or not at all as there.
func (e *Exchange) Same() bool {
	return (e.Outcome == Answered || e.Closed) && len(e.Differences) == 0
}

// A Difference is what of a reply is not as captured.
type Difference struct {
	// What it is: "status", "NFS4 OPEN", "Write chunk 1", or a field of the reply.
	What string
	// Field is the field's key, as bind.Options.Ignore takes it, "" of what is none.
	Field          string
	Captured, Live string
}

// A ReverseCall is a call of the server, and how it was answered.
type ReverseCall struct {
	XID       uint32
	Procedure uint32
	Name      string
	// Answer says with what it was answered.
	Answer string
}

// An OwnCall is a call that the replay made itself.
type OwnCall struct {
	// What it was for, and with what it was answered: "NFS4_OK".
	What, Status string
	// Failed says that the answer was another than success.
	Failed bool
}

// Counts of a Result.
type Counts struct {
	// NoReply has those of Closed too.
	Calls, Answered, NoReply, NotSent, Differ, Retried, Closed int
}

// Counts counts the exchanges.
func (r *Result) Counts() (n Counts) {
	for _, e := range r.Exchanges {
		n.Calls++
		switch e.Outcome {
		case Answered:
			n.Answered++
		case NoReply:
			n.NoReply++
		default:
			n.NotSent++
		}
		if e.Closed {
			n.Closed++
		}
		if len(e.Differences) > 0 {
			n.Differ++
		}
		if e.Retries > 0 {
			n.Retried++
		}
	}
	return n
}

// Same reports whether every call was answered as in the capture.
func (r *Result) Same() bool {
	for _, e := range r.Exchanges {
		if !e.Same() {
			return false
		}
	}
	return r.Ended == nil
}

// answerOf is with what a call was answered in the capture, for a person.
func answerOf(c *script.Call) string {
	switch {
	case c.Reply == nil:
		return "not captured"
	case c.Status != "":
		return c.Status
	case c.Failed():
		return c.Reply.Header.ProcName() + " " + c.Reply.Header.ErrorName()
	case c.HasAnswer:
		return c.Answer.Status()
	}
	return "not decoded"
}
