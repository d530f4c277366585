package script_test

import (
	"errors"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// FuzzRecorder takes conversations out of captures that strangers changed, with little memory or
// much. What is recorded fits in it, each call has its place, and what a message or a segment
// holds is no more than the capture says.
func FuzzRecorder(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb", "version2-roce"} {
		list := ruletest.Sample(f, "../../../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 250)])
	}
	for i := range samples {
		for _, limit := range []uint32{0, 20_000, 60_000} {
			f.Add(byte(i), []byte{}, limit, byte(0))
			f.Add(byte(i), damage.Lose(60), limit, byte(3))
			f.Add(byte(i), damage.Change(70, 80, 1), limit, byte(2))
			f.Add(byte(i), damage.Cut(64, 100), limit, byte(0))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, edits []byte, limit uint32, leaveOut byte) {
		if len(edits) > 512 {
			return
		}
		o := script.Options{MaxBytes: int64(limit % (1 << 20))}
		if leaveOut > 0 {
			o.Select = func(r *dissect.RPC) bool { return r.XID%(1+uint32(leaveOut)) != 0 }
		}
		list := damage.Edit(samples[int(which)%len(samples)], edits)
		c, err := replaytest.Conversation(t, list, o)
		var tooLarge *script.TooLarge
		if err != nil {
			if c != nil || errors.As(err, &tooLarge) && (o.MaxBytes == 0 || tooLarge.MaxBytes != o.MaxBytes) {
				t.Errorf("%v, with a limit of %d bytes", err, o.MaxBytes)
			}
			return
		}
		if o.MaxBytes == 0 {
			o.MaxBytes = script.DefaultMaxBytes
		}
		if held := holds(t, c, len(list)); c.Bytes > o.MaxBytes || held > c.Bytes {
			t.Errorf("%d bytes are held, %d counted, and the limit is %d", held, c.Bytes, o.MaxBytes)
		}
		ordered(t, c)
	})
}

// holds is how many bytes of messages and data a conversation has, each no more than the capture
// says of it.
func holds(t *testing.T, c *script.Conversation, frames int) (held int64) {
	t.Helper()
	for _, m := range c.Messages {
		held += int64(len(m.Bytes))
		if len(m.Bytes) > m.Length || m.Missing == "" && len(m.Bytes) < m.Length || m.Frame.Number < 1 || m.Frame.Number > int64(frames) {
			t.Errorf("a message of frame %d has %d of %d bytes, missing %q", m.Frame.Number, len(m.Bytes), m.Length, m.Missing)
		}
	}
	for _, call := range c.Calls {
		for i := range call.Segments {
			g := &call.Segments[i]
			held += int64(cap(g.Data))
			if uint64(len(g.Data)) > uint64(g.Length) || g.Moved.Len() > uint64(len(g.Data)) || g.At+rpcrdma.SegmentSize > len(call.Request.Bytes) {
				t.Errorf("%d bytes of a segment of %d at %d, moved %v", len(g.Data), g.Length, g.At, g.Moved)
			}
		}
	}
	return held
}

// ordered holds that messages, operations and calls stand in the order of the capture, and that
// calls know their messages.
func ordered(t *testing.T, c *script.Conversation) {
	t.Helper()
	orders := make(map[int]bool)
	last := -1
	for _, m := range c.Messages {
		if m.Order <= last {
			t.Errorf("message %d behind %d", m.Order, last)
		}
		last = m.Order
		orders[m.Order] = true
	}
	last = -1
	for i := range c.Operations {
		o := &c.Operations[i]
		if o.Order <= last || orders[o.Order] {
			t.Errorf("operation %d behind %d, a message too: %v", o.Order, last, orders[o.Order])
		}
		last = o.Order
	}
	last = -1
	for i, call := range c.Calls {
		if call.Index != i || call.Request == nil || call.Request.Order <= last || !orders[call.Request.Order] || call.Request.Call != call || call.Request.ToServer == call.Reverse {
			t.Fatalf("call %d behind %d: %+v", i, last, call)
		}
		last = call.Request.Order
		if r := call.Reply; r != nil && (!orders[r.Order] || r.Call != call || r.ToServer == call.Request.ToServer) {
			t.Errorf("call %d has a reply that is not its own: %+v", i, r)
		}
		_, made := call.Message()
		if _, madeUp := call.Result(); call.Missing == "" && made+madeUp != 0 {
			t.Errorf("call %d lacks nothing, and %d bytes are made up", i, made+madeUp)
		}
	}
}
