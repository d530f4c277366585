package tcp_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/tcp"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/flowtest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// tracked is a tcp.Tracker as flowtest plays to it.
type tracked struct {
	*tcp.Tracker
	all *flow.Connections
}

func (x *tracked) Frame(f *flow.Frame, v *flow.Verdict) {
	if f.Link.Transport == link.TCP {
		x.Tracker.Frame(f, v)
	}
}

func (x *tracked) Left() int {
	c := x.Census()
	return c.Candidates + c.KeptFound + c.AssembledFound
}

func (x *tracked) Within(t *testing.T) {
	t.Helper()
	c, limits := x.Census(), flowtest.Small()
	open, _ := x.all.Number()
	if c.Candidates > tcp.MaxCandidates || c.Connections > open+c.Candidates+tcp.MaxOthers || x.all.Claims() > limits.Claims ||
		c.MostPending > tcp.MaxPending || c.MostEarly > tcp.MaxEarlyResponses {
		t.Errorf("too much is kept, with %d connections and %d claims: %+v", open, x.all.Claims(), c)
	}
	// One segment, or one message, may come on top before something goes.
	if x.all.Kept > limits.Kept+1<<16 || x.all.Assembled > limits.Assembled+2*flow.MaxSend {
		t.Errorf("too many bytes are kept, %d and %d: %+v", x.all.Kept, x.all.Assembled, c)
	}
	if x.all.Kept != c.KeptFound || x.all.Assembled != c.AssembledFound {
		t.Errorf("%d bytes are counted as kept, %d as assembled: %+v", x.all.Kept, x.all.Assembled, c)
	}
}

// Other has nothing to do: what a TCP tracker may be told is in flowtest.
func (x *tracked) Other(*testing.T, *flow.Frame, byte) {}

// built are the frames of a conversation with all that iWARP has.
func built(setup build.IWARPSetup) (list []capture.Frame) {
	s := build.NewIWARP(setup)
	s.Connect()
	for i := range uint32(4) {
		s.Send(build.ToServer, make([]byte, 100+700*i))
		s.Write(build.ToClient, 9, 0, make([]byte, 3000))
		s.Send(build.ToClient, make([]byte, 300))
	}
	s.Terminate(build.ToClient, build.Termination{Layer: 1, EType: 1, ECode: 2})
	s.Disconnect()
	for i, f := range s.Frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

// FuzzTracker feeds segments that strangers changed to a tracker of TCP connections whose limits
// are small. It tells nothing impossible, keeps no more than the limits, counts what it keeps as
// it is, and nothing is left of what it lets go.
func FuzzTracker(f *testing.F) {
	sample := ruletest.Sample(f, "../../../samples/siw-cb.pcap.zst")
	captures := [][]capture.Frame{built(build.IWARPSetup{}), built(build.IWARPSetup{})[9:], sample[:min(len(sample), 250)]}
	for i := range captures {
		f.Add(byte(i), []byte{}, []byte{})
		f.Add(byte(i), damage.Lose(5), []byte{8, 0, 8, 1, 8, 2})
		f.Add(byte(i), damage.Change(12, 60, 9), []byte{20, 1})
		f.Add(byte(i), damage.Cut(9, 90), []byte{12, 2, 0, 1})
	}
	f.Fuzz(func(t *testing.T, which byte, edits, script []byte) {
		if len(edits) > 512 || len(script) > 64 {
			return
		}
		all, sink := flowtest.New(t)
		x := &tracked{tcp.New(all, 0, true), all}
		flowtest.Play(t, all, sink, x, damage.Edit(captures[int(which)%len(captures)], edits), script)
	})
}
