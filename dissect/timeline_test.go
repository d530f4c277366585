package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
)

// TestTimelineAt asks what was in force at each frame of the sample.
func TestTimelineAt(t *testing.T) {
	list := load(t, "version2-roce")
	see(t, list, &sink2{at: func(c *dissect.Connection) {
		for _, f := range list {
			ref := flow.Ref{Number: f.Number}
			got, ok := c.Characteristics(c.ClientEnd).At(rpcrdma.XcharRBSIZ, ref, f.Time)
			want := uint32(0)
			switch {
			case f.Number > 63:
				want = 12288
			case f.Number > 4:
				want = 8192
			}
			if ok != (want > 0) || got.Value != want || ok && !got.Known {
				t.Errorf("frame %d: %+v, %v; want %d", f.Number, got, ok, want)
			}
			if now, _ := c.Characteristics(c.ClientEnd).Now(rpcrdma.XcharRBSIZ); now.Value != 12288 {
				t.Fatalf("now %+v", now)
			}
		}
	}})
}

// TestTimelineIsBounded changes a characteristic again and again.
func TestTimelineIsBounded(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	init := build.XcharInit([]build.Xchar{build.XcharWord(build.XcharBRS, build.BRSNone), build.XcharWord(build.XcharRBSIZ, 4096)}, nil)
	c.Message2(build.ToServer, build.Header2{XID: 1, Proc: build.OPTIONAL, Option: build.InitXchar, Info: init})
	for i := range uint32(200) {
		c.Message2(build.ToServer, build.Header2{XID: 2 + i, Proc: build.OPTIONAL, Option: build.UpdXchar, Info: build.XcharUpd(build.XcharWord(build.XcharRBSIZ, 5000+i), false)})
	}
	c.Disconnect()
	list := framesOf(c.Frames)
	see(t, list, &sink2{at: func(c *dissect.Connection) {
		line := c.Characteristics(c.ClientEnd)
		if n := len(line.Changes()); n != 64 {
			t.Errorf("%d changes are remembered, want 64", n)
		}
		if now, ok := line.Now(rpcrdma.XcharRBSIZ); !ok || now.Value != 5199 {
			t.Errorf("now %+v", now)
		}
		if brs, ok := line.Now(rpcrdma.XcharBRS); !ok || brs.Value != build.BRSNone {
			t.Errorf("XCHAR_BRS %+v", brs)
		}
		// Frame 20 lies before all that is remembered of XCHAR_RBSIZ.
		if was, ok := line.At(rpcrdma.XcharRBSIZ, flow.Ref{Number: 20}, list[19].Time); !ok || was.Known {
			t.Errorf("what was forgotten is %+v, %v", was, ok)
		}
	}})
}
