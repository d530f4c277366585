package script_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// claiming is a conversation of a call whose Position-Zero Read chunk, or whose Reply chunk, claims
// 4 GiB that nothing moved, with a NULL before it if there is to be one.
func claiming(t *testing.T, reply, null bool) []capture.Frame {
	t.Helper()
	c := build.NewConversation(build.Setup{})
	c.Connect()
	if null {
		c.Reply(c.Call(build.NFS3Null(1)), build.NFS3NullReply(1))
	}
	huge := build.Segment{Handle: 0xc82, Length: math.MaxUint32, Offset: 0x1000}
	call := build.Header{XID: 2, Credits: 32, Reply: []build.Segment{huge}}
	answer := build.Header{XID: 2, Credits: 32, Proc: build.NOMSG, Reply: []build.Segment{huge}}
	if reply {
		c.Send(build.ToServer, call.With(build.NFS3GetAttr(2, []byte("file")).Bytes))
	} else {
		call.Proc, call.Reply, call.Reads = build.NOMSG, nil, []build.ReadSegment{{Segment: huge}}
		answer.Proc, answer.Reply = build.MSG, nil
		c.Send(build.ToServer, call.Bytes())
	}
	if reply {
		c.Send(build.ToClient, answer.Bytes())
	} else {
		c.Send(build.ToClient, answer.With(build.NFS3NullReply(2).Bytes))
	}
	var list []capture.Frame
	for i, f := range c.Frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: 1, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

// TestClaims holds that a length that a header claims takes no memory: the call is left out, with
// the reason, or nothing is left.
func TestClaims(t *testing.T) {
	for _, reply := range []bool{false, true} {
		for _, null := range []bool{false, true} {
			frames := claiming(t, reply, null)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c, err := replaytest.Conversation(t, frames, script.Options{MaxBytes: 16 << 20})
			said := ""
			switch {
			case err != nil:
				said = err.Error()
			default:
				said = strings.Join(c.Lacks, "\n")
				for _, call := range c.Calls {
					call.Message()
					call.Result()
				}
				if len(c.Calls) != 1 || c.Bytes > 1<<20 {
					t.Errorf("%d calls, %d bytes", len(c.Calls), c.Bytes)
				}
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("it took %d bytes", took)
			}
			if (err != nil) == null || !strings.Contains(said, "left out: its chunks claim 4294967295 bytes of RPC messages, and the memory limit leaves 16") {
				t.Errorf("Reply chunk %v, with another call %v: %s", reply, null, said)
			}
		}
	}
}
