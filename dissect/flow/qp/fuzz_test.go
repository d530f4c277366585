package qp_test

import (
	"math"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/order"
	"github.com/rdmacap/rdmacap/dissect/flow/qp"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/flowtest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// tracked is a qp.Tracker as flowtest plays to it.
type tracked struct {
	*qp.Tracker
	sink *flowtest.Sink
}

func (x *tracked) Frame(f *flow.Frame, v *flow.Verdict) {
	if f.HasIB() {
		x.Tracker.Frame(f, false, v)
	}
}

func (x *tracked) Flush() { x.Tracker.Flush(math.MaxInt64) }

func (x *tracked) Left() int {
	c := x.Census()
	return c.Requesters + c.Setups + c.Waiting + c.Unpaired + c.Queued + c.QueuedFound + c.KeptFound + c.AssembledFound
}

func (x *tracked) Within(t *testing.T) {
	t.Helper()
	c, limits := x.Census(), flowtest.Small()
	open, _ := x.Number()
	// Each connection has two halves, and two communication IDs.
	if c.Waiting > limits.Pair || c.Requesters > 2*open+limits.Pair || c.Setups > 2*open || c.Unpaired > c.Requesters ||
		x.Claims() > limits.Claims || c.MostReads > qp.MaxReads || c.MostHeld > order.MaxHeld+1 {
		t.Errorf("too much is kept, with %d connections and %d claims: %+v", open, x.Claims(), c)
	}
	// One packet, or one message, may come on top before something goes.
	if c.Queued > limits.Queued || x.Kept > limits.Kept+1<<16 || x.Assembled > limits.Assembled+2*flow.MaxSend {
		t.Errorf("too many bytes are kept, %d and %d: %+v", x.Kept, x.Assembled, c)
	}
	if c.Queued != c.QueuedFound || x.Kept != c.KeptFound || x.Assembled != c.AssembledFound {
		t.Errorf("%d bytes are counted as kept, %d as assembled: %+v", x.Kept, x.Assembled, c)
	}
}

// Other has another shard take the queue pair that the last frame was for, or one give up its
// oldest half. What was let go of is not there again.
func (x *tracked) Other(t *testing.T, f *flow.Frame, n byte) {
	if n%2 == 0 {
		if waiting := x.Waiting(nil); len(waiting) > 0 {
			x.Tracker.Flush(waiting[0])
			if again := x.Waiting(nil); len(again) > 0 && again[0] <= waiting[0] {
				t.Errorf("halves that wait since %d, the first is settled, since %d now", waiting, again)
			}
		}
		return
	}
	if !f.HasIB() {
		return
	}
	x.ExpireQueuePair(f.Link.Src(), f.Link.Dst(), f.IB.DestQP)
	x.ExpireSetup(f.Link.Src(), f.IB.DestQP)
	before, ended := x.Census(), x.sink.Ended()
	x.ExpireQueuePair(f.Link.Src(), f.Link.Dst(), f.IB.DestQP)
	if again := x.Census(); again != before || x.sink.Ended() != ended {
		t.Errorf("something is left of a queue pair that was retired: %+v, and behind it %+v", before, again)
	}
}

// crowd are the frames of several connections between few hosts, with their setup or without.
func crowd(setUp bool) (list []capture.Frame) {
	many := build.NewMany(8, 2, build.Setup{PMTU: 256})
	var all build.Frames
	for round := range uint32(5) {
		all = append(all, many.Turn(func(i int, c *build.Conversation) {
			switch {
			case round == 0 && setUp:
				c.Connect()
			case round == 4 && i%2 == 0:
				c.Disconnect()
			case i%3 == 0:
				c.Send(build.ToServer, make([]byte, 700))
			case i%3 == 1:
				c.Reply(c.Call(build.NFS3Null(round)), build.NFS3NullReply(round))
			default:
				c.Write(build.ToClient, 9, 0, make([]byte, 300))
				c.Ack(build.ToServer)
			}
		})...)
	}
	for i, f := range all {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

// FuzzTracker feeds frames that strangers changed to a tracker of queue pairs whose limits are
// small. It tells nothing impossible, keeps no more than the limits, counts what it keeps as it
// is, and nothing is left of what it lets go.
func FuzzTracker(f *testing.F) {
	sample := ruletest.Sample(f, "../../../samples/rxe-cb.pcap.zst")
	captures := [][]capture.Frame{crowd(true), crowd(false), sample[:min(len(sample), 250)]}
	for i := range captures {
		f.Add(byte(i), []byte{}, []byte{})
		f.Add(byte(i), damage.Lose(3), []byte{20, 0, 10, 1, 10, 3, 10, 7})
		f.Add(byte(i), damage.Change(20, 50, 9), []byte{5, 3, 5, 7, 3, 7, 3, 3})
		f.Add(byte(i), damage.Cut(9, 70), []byte{30, 2, 0, 1})
	}
	f.Fuzz(func(t *testing.T, which byte, edits, script []byte) {
		if len(edits) > 512 || len(script) > 64 {
			return
		}
		all, sink := flowtest.New(t)
		x := &tracked{Tracker: qp.New(all, nil), sink: sink}
		flowtest.Play(t, all, sink, x, damage.Edit(captures[int(which)%len(captures)], edits), script)
	})
}
