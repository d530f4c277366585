package dissect_test

import (
	"runtime"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestCallsWithoutReplies feeds calls that nobody answers, as a capture of one
// direction has them, and looks at what is kept: memory must not grow with the
// capture.
func TestCallsWithoutReplies(t *testing.T) {
	t.Run("small ones", func(t *testing.T) {
		unanswered(t, long.Pick[uint32](20_000, 30_000), func(xid uint32) build.Message { return build.NFS3GetAttr(xid, []byte("handle")) })
	})
	t.Run("large ones", func(t *testing.T) {
		data := make([]byte, 200_000)
		unanswered(t, 500, func(xid uint32) build.Message { return build.NFS3Write(xid, []byte("handle"), 0, data) })
	})
}

func unanswered(t *testing.T, calls uint32, call func(xid uint32) build.Message) {
	t.Helper()
	conversation := build.NewConversation(build.Setup{})
	conversation.Connect()
	d := dissect.New(new(counting), dissect.Options{})
	feed := func() {
		for _, f := range conversation.Frames {
			d.Frame(&capture.Frame{Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)), Time: f.Time.UnixNano(), Number: 1})
		}
		conversation.Frames = conversation.Frames[:0]
	}
	const limit = 40 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for xid := range calls {
		conversation.Call(call(xid))
		feed()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > limit {
		t.Errorf("%d calls without a reply keep %d bytes, want at most %d", calls, grown, limit)
	}
	d.Flush()
	if s := d.Summary(); s.RPCs != int64(calls) || s.IncompleteRPCs != int64(calls) {
		t.Errorf("%d RPCs, %d incomplete, want %d of both", s.RPCs, s.IncompleteRPCs, calls)
	}
}

// counting is a Sink that looks at nothing.
type counting struct{}

func (*counting) Connection(*dissect.Connection, bool) {}
func (*counting) Frame(*dissect.FrameView)             {}
func (*counting) Message(*dissect.Message)             {}
func (*counting) RPC(*dissect.RPC)                     {}
