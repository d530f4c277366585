package script

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// DefaultMaxBytes is how much memory a Conversation may take: 1 GiB.
const DefaultMaxBytes = 1 << 30

// Options are what a Recorder can be told.
type Options struct {
	// Connection is the number of the connection; 0 is the first that speaks
	// RPC-over-RDMA.
	Connection int
	// Select chooses RPCs; nil takes all. It is called when an RPC is over.
	Select func(r *dissect.RPC) bool
	// Marks are further questions about RPCs, whose answers are in Call.Marks.
	Marks []func(r *dissect.RPC) bool
	// MaxBytes is how many bytes of messages and data are kept at most; 0 is
	// DefaultMaxBytes.
	MaxBytes int64
}

// A TooLarge says that a connection does not fit in Options.MaxBytes.
type TooLarge struct{ MaxBytes int64 }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the messages and data of the connection need more than %d MiB of memory: raise the limit, or select some of its calls", e.MaxBytes>>20)
}

// A Recorder is a dissect.Sink that keeps one connection. It is to be the DataSink and the
// AccessSink of the Dissector as well.
type Recorder struct {
	opts   Options
	c      *Conversation
	of     *dissect.Connection
	others map[*dissect.Connection]int // index in c.Others
	// messages and calls are those of which parts may still come, by what the Dissector
	// has of them, which it uses again.
	messages map[*dissect.Message]*Message
	calls    map[*dissect.RPC]*Call
	bytes    int64
	corrupt  int64 // frames whose ICRC is wrong
	*shared
	// tooLong are calls that were left out, since their chunks claim too much, and moreTooLong how
	// many of them it does not name.
	tooLong     []string
	moreTooLong int
}

// shared is what all Recorders of a capture have: how many messages and operations there are so far,
// how many bytes they take, which Options.MaxBytes limits, and why nothing more is recorded.
type shared struct {
	order int
	all   int64
	err   error
}

// NewRecorder returns a Recorder.
func NewRecorder(o Options) *Recorder { return newRecorder(o, new(shared)) }

func newRecorder(o Options, s *shared) *Recorder {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return &Recorder{
		opts: o, shared: s, c: new(Conversation), others: make(map[*dissect.Connection]int),
		messages: make(map[*dissect.Message]*Message), calls: make(map[*dissect.RPC]*Call),
	}
}

// Err is why nothing more is recorded, a *TooLarge, nil if nothing is wrong.
func (r *Recorder) Err() error { return r.err }

// Flush has nothing to do: what was recorded is for Conversation.
func (r *Recorder) Flush() error { return r.err }

// Finish has nothing to do either.
func (r *Recorder) Finish(dissect.Summary, time.Duration) error { return r.err }

// Connection notes how the connection was made when it is over.
func (r *Recorder) Connection(c *dissect.Connection, final bool) {
	if !final {
		return
	}
	if c == r.of {
		r.c.finish(c)
		r.c.Device = ofDevice(c, r.corrupt)
	}
	if i, ok := r.others[c]; ok {
		r.c.Others[i].Client, r.c.Others[i].Server = endpoint(c.Client()), endpoint(c.Server())
		delete(r.others, c)
	}
}

// chosen reports whether a connection, which speaks RPC-over-RDMA, is the one.
func (r *Recorder) chosen(c *dissect.Connection) bool {
	if r.of == nil && (r.opts.Connection == 0 || r.opts.Connection == c.ID) {
		r.of = c
		r.c.ID = c.ID
	}
	return c == r.of
}

// Message keeps a message.
func (r *Recorder) Message(m *dissect.Message) {
	if !r.chosen(m.Connection) {
		r.other(m)
		return
	}
	if r.err != nil {
		return
	}
	kept := &Message{
		Order: r.order, Frame: m.Frame(), Time: m.Last, Bytes: append([]byte(nil), m.Raw()...), Length: m.Length,
		from: m.From, Missing: m.Missing, Role: m.Role(), Invalidated: m.Invalidated, HasInvalidated: m.HasInvalidated,
	}
	r.order++
	kept.Header.Decode(kept.Bytes)
	r.c.Messages = append(r.c.Messages, kept)
	r.messages[m] = kept
	r.countBytes(int64(len(kept.Bytes)) + overhead)
	if kept.Role == dissect.RoleCall && m.RPC() != nil {
		call := &Call{XID: m.Header.XID, Request: kept, Segments: kept.segments()}
		kept.Call = call
		r.calls[m.RPC()] = call
		r.countBytes(int64(len(call.Segments)) * overhead / 4)
	}
}

// overhead is about what a message takes in memory beside its bytes.
const overhead = 1 << 10

// left is how many bytes of memory there are for more.
func (r *Recorder) left() int64 { return max(0, r.opts.MaxBytes-r.all) }

// countBytes counts memory, or with a negative number memory that is given back.
func (r *Recorder) countBytes(size int64) {
	r.bytes += size
	if r.all += size; r.all > r.opts.MaxBytes && r.err == nil {
		r.err = &TooLarge{r.opts.MaxBytes}
		clear(r.messages)
		clear(r.calls)
		r.c = &Conversation{ID: r.c.ID, Others: r.c.Others}
	}
}

// other counts the calls of another connection.
func (r *Recorder) other(m *dissect.Message) {
	i, ok := r.others[m.Connection]
	if !ok {
		if len(r.c.Others) >= MaxOthers {
			return
		}
		i = len(r.c.Others)
		r.others[m.Connection] = i
		r.c.Others = append(r.c.Others, Other{ID: m.Connection.ID})
	}
	if m.Role() == dissect.RoleCall {
		r.c.Others[i].Calls++
	}
}

// MaxOthers bounds Conversation.Others.
const MaxOthers = 1000

// Moved keeps bytes that an RDMA Read or Write moved.
func (r *Recorder) Moved(of *dissect.RPC, region *rpcrdma.Region, at uint64, data []byte) {
	call := r.calls[of]
	if call == nil {
		return
	}
	for i := range of.Offer.Regions {
		if &of.Offer.Regions[i] == region && i < len(call.Segments) {
			s := &call.Segments[i]
			if need := int64(at) + int64(len(data)) - int64(cap(s.Data)); need > r.left() {
				r.countBytes(need) // which is too much
				return
			}
			r.countBytes(int64(s.putData(at, data)))
			return
		}
	}
}

// Access keeps an RDMA Read or Write.
func (r *Recorder) Access(a *dissect.Access) {
	if a.Connection != r.of || r.err != nil || a.Kind == dissect.AccessReadData {
		return
	}
	var call *Call
	if a.RPC != nil {
		call = r.calls[a.RPC]
	}
	length := uint64(a.Length)
	if a.Kind == dissect.AccessRead {
		length = uint64(a.Announced)
	}
	if n := len(r.c.Operations); n > 0 && r.c.Operations[n-1].continues(a, call) {
		r.c.Operations[n-1].Length += length
		return
	}
	o := Operation{Order: r.order, Kind: a.Kind, Time: a.Time, from: a.From, Handle: a.Handle, Offset: a.Offset, Length: length, Call: call}
	if n := len(a.Frames); n > 0 {
		o.Frame = a.Frames[n-1]
	}
	r.order++
	r.c.Operations = append(r.c.Operations, o)
	r.countBytes(overhead / 8)
}

// RPC joins call and reply, which is all that comes of them.
func (r *Recorder) RPC(of *dissect.RPC) {
	call := r.calls[of]
	delete(r.calls, of)
	if of.Connection != r.of || r.err != nil {
		return
	}
	selected := r.opts.Select == nil || r.opts.Select(of)
	if !selected {
		r.c.Unselected++
	}
	request, reply := r.messages[of.Call], r.messages[cmp.Or(of.Reply, of.Untaken)]
	if call != nil && selected {
		call.Request, call.Reply = request, reply
		call.finish(of)
		selected = r.holds(call)
	}
	for _, m := range [...]*dissect.Message{of.Call, of.Reply, of.Untaken} {
		if kept := r.messages[m]; kept != nil && !selected {
			r.countBytes(-int64(len(kept.Bytes)) - overhead)
			kept.Bytes = nil // settle leaves it out
			kept.Order = unselected
		}
		delete(r.messages, m)
	}
	if call == nil {
		return
	}
	if !selected {
		for i := range call.Segments {
			r.countBytes(-int64(cap(call.Segments[i].Data)))
			call.Segments[i].Data = nil
		}
		return
	}
	for _, is := range r.opts.Marks {
		call.Marks = append(call.Marks, is(of))
	}
	r.c.Calls = append(r.c.Calls, call)
}

// holds reports whether there is memory for the RPC messages that chunks of a call conveyed, which
// are put together at the lengths that the headers claim. It counts it, or notes that the call is left out.
func (r *Recorder) holds(c *Call) bool {
	claimed := c.conveyed()
	if claimed <= uint64(r.left()) {
		r.countBytes(int64(claimed))
		return true
	}
	if len(r.tooLong) == MostNamed {
		r.moreTooLong++
		return false
	}
	r.tooLong = append(r.tooLong, fmt.Sprintf("frame %d, %s: left out: its chunks claim %d bytes of RPC messages, and the memory limit leaves %d",
		c.Request.Frame.Number, c.Name, claimed, r.left()))
	return false
}
