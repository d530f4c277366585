package rules

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/report/finding"
)

// endings is a Checker that holds, for each frame, that it names no connection that
// is over: of such a one the Checker would begin anew, and never end.
type endings struct {
	*Checker
	t     *testing.T
	over  map[*dissect.Connection]bool // those that were seen, true if they are over
	inOne int                          // connections that ended in a frame
	ended int                          // in the frame in hand
}

func (e *endings) Connection(c *dissect.Connection, final bool) {
	e.Checker.Connection(c, final)
	e.over[c] = final
	if final {
		e.ended++
	}
}

func (e *endings) Frame(v *dissect.FrameView) {
	e.Checker.Frame(v)
	e.inOne += e.ended
	e.ended = 0
	if e.over[v.Connection] {
		e.t.Errorf("frame %d names connection %d, which is over", v.Frame.Number, v.Connection.ID)
	}
	for c, over := range e.over {
		if over && c.User != nil {
			e.t.Fatalf("frame %d: connection %d is over and has begun anew", v.Frame.Number, c.ID)
		}
	}
}

// TestConnectionEndsInItsFrame has frames that end a connection, and that would be of
// it: a REQ for its queue pairs, a Send that comes long after its DREQ, a SYN for its ports.
func TestConnectionEndsInItsFrame(t *testing.T) {
	e := &endings{t: t, over: make(map[*dissect.Connection]bool), Checker: NewChecker([]*Rule{{
		Rule: finding.Rule{ID: "A-001", Severity: finding.Note}, Check: Check{On: []Event{OnFrame(0, func(*Conn, *dissect.FrameView, Reporter) {})}},
	}}, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {})}
	d := dissect.New(e, dissect.Options{Accesses: e.Checker, Units: true})
	number := int64(0)
	feed := func(frames build.Frames) {
		for _, f := range frames {
			number++
			d.Frame(&capture.Frame{Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)), Time: f.Time.UnixNano(), Number: number})
		}
	}
	call := build.NFS3GetAttr(1, []byte("handle"))
	for n := range uint32(3) {
		// The same queue pairs again, without a DREQ.
		c := build.NewConversation(build.Setup{Client: build.Host{CommID: 1 + n, PSN: 9000 * n}, Server: build.Host{CommID: 11 + n, PSN: 7000 * n}})
		c.Connect()
		c.Reply(c.Call(call), build.NFS3ReadFailed(1, 70))
		feed(c.Frames)
	}
	c := build.NewConversation(build.Setup{})
	c.Connect()
	c.Reply(c.Call(call), build.NFS3ReadFailed(1, 70))
	c.Disconnect()
	for range 600 {
		c.Call(call) // while it is let go
	}
	feed(c.Frames)
	for n := range uint32(3) {
		s := build.NewIWARP(build.IWARPSetup{ClientISN: 1 + n<<20, ServerISN: 7 + n<<20})
		s.Connect()
		s.Call(call)
		feed(s.Frames)
	}
	if e.inOne < 4 {
		t.Errorf("only %d connections ended in a frame", e.inOne)
	}
	d.Flush()
	for c, over := range e.over {
		if !over || c.User != nil {
			t.Errorf("connection %d is left when all are over", c.ID)
		}
	}
}
