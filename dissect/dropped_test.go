package dissect_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
)

// gaps are those of each connection, by its number, at its end.
type gaps map[int]flow.Gaps

func (g gaps) Connection(c *dissect.Connection, final bool) {
	if final {
		g[c.ID] = c.Gaps
	}
}
func (gaps) Frame(*dissect.FrameView) {}
func (gaps) Message(*dissect.Message) {}
func (gaps) RPC(*dissect.RPC)         {}

// TestDropped marks frames before which some were dropped: every connection that is open
// then knows that it may lack any, with any number of shards, and none that begins later.
func TestDropped(t *testing.T) {
	first, second := build.NewConversation(build.Setup{}), build.NewConversation(build.Setup{Client: build.Host{Addr: netip.MustParseAddr("10.0.0.7")}})
	for _, s := range []*build.Conversation{first, second} {
		s.Connect()
		for range 3 {
			s.Send(build.ToServer, []byte("call"))
			s.Ack(build.ToClient)
		}
	}
	whole := &damage.Capture{Link: link.TypeEthernet}
	list := asRead(whole, slices.Concat(first.Frames, second.Frames))
	for name, test := range map[string]struct {
		marked []int
		holes  [2]int64 // of each connection
	}{
		"none":                      {nil, [2]int64{0, 0}},
		"while the first is alone":  {[]int{5}, [2]int64{1, 0}},
		"while both are open":       {[]int{len(first.Frames) + 5}, [2]int64{1, 1}},
		"on the first frame of all": {[]int{0}, [2]int64{0, 0}},
		"twice":                     {[]int{4, len(list) - 1}, [2]int64{2, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			marked := slices.Clone(list)
			for _, i := range test.marked {
				marked[i].Extra = &capture.Extra{Dropped: true}
			}
			emitTheSame(t, name, marked, 1, 2, 3)
			b := gaps{}
			d := dissect.New(b, dissect.Options{})
			for i := range marked {
				d.Frame(&marked[i])
			}
			d.Flush()
			for i, want := range test.holes {
				got := b[i+1]
				if got.Holes != want {
					t.Errorf("connection %d has %d holes, want %d", i+1, got.Holes, want)
				}
				if want > 0 && got.LastHole().Ref.Number != int64(test.marked[len(test.marked)-1]+1) {
					t.Errorf("connection %d: the last hole is before frame %d", i+1, got.LastHole().Ref.Number)
				}
			}
		})
	}
}
