package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
)

// completed holds that a frame is told with the message that it completed, whatever
// else came with it: one that waited after a gap, and ended an RPC whose memory is
// used again.
type completed struct {
	tally
	t        *testing.T
	messages int
}

func (c *completed) Frame(v *dissect.FrameView) {
	m := v.Message
	if m == nil {
		return
	}
	c.messages++
	switch {
	case m.Connection != v.Connection || m.From != v.Verdict.From || m.Frame() != v.Frame.Ref():
		c.t.Fatalf("frame %d is told with a message of frame %d", v.Frame.Number, m.Frame().Number)
	case v.IB != nil && m.Point.Last != v.IB.PSN:
		c.t.Fatalf("frame %d with PSN %d is told with a message that ends with PSN %d", v.Frame.Number, v.IB.PSN, m.Point.Last)
	}
}

func TestFrameHasItsMessage(t *testing.T) {
	for _, name := range []string{"rxe-thresh", "rxe-krb", "rxe-cb", "siw-cb"} {
		list := load(t, name)
		for _, every := range []int{13, 29, 97} { // of every so many frames one is lost
			t.Run(name, func(t *testing.T) {
				sink := &completed{t: t}
				d := dissect.New(sink, dissect.Options{})
				for i := range list {
					if f := list[i]; i%every != every/2 {
						d.Frame(&f)
					}
				}
				d.Flush()
				if sink.messages == 0 {
					t.Error("no frame completed a message")
				}
			})
		}
	}
}
