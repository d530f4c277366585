package requester_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestPrivateData holds what is given when connecting: what was captured, with other sizes where
// they are asked for, and something that fits where it was not captured.
func TestPrivateData(t *testing.T) {
	captured := wire.PrivateData(4096, 4096, true)
	for _, tt := range []struct {
		name string
		o    requester.Options
		late bool
		want []byte
	}{
		{"captured", requester.Options{}, false, captured},
		{"sizes", requester.Options{InlineSend: 1024, InlineReceive: 16384}, false, wire.PrivateData(1024, 16384, true)},
		{"late", requester.Options{}, true, wire.PrivateData(4096, 4096, false)},
	} {
		c := replaytest.Sample(t, "rxe-cb", script.Options{})
		if tt.late {
			c.Setup, c.Client.PrivateData, c.Client.Declared = flow.SetupInferred, nil, nil
			for _, call := range c.Calls {
				call.Reply.HasInvalidated = false // as a server does that sees no R
			}
		}
		r, f := replay(t, fabric.SoftRoCE(), c, &server{}, tt.o)
		if !r.Same() || r.Server == nil || r.Server.ReceiveSize() != 4096 {
			t.Errorf("%s: ended %v, %+v, the server said %v", tt.name, r.Ended, r.Counts(), r.Server)
		}
		if asked := f.Events()[0]; asked.Kind != fabric.Ask || !bytes.Equal(bytes.TrimRight(asked.Bytes, "\x00"), bytes.TrimRight(tt.want, "\x00")) {
			t.Errorf("%s: %v %x, want %x", tt.name, asked.Kind, asked.Bytes, tt.want)
		}
	}
}

// TestPace holds that calls do not come sooner than the capture's gaps, divided by the speed,
// allow.
func TestPace(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	f := fabric.New(fabric.SoftRoCE())
	p, err := requester.NewPlan(c, requester.Options{Speed: 20, MaxCalls: 12})
	if err != nil {
		t.Fatal(err)
	}
	// The time that the captured server took does not count.
	gaps := time.Duration(0)
	for i, m := range c.Messages {
		if i > 0 && m.ToServer && m.Call.Index < 12 {
			gaps += time.Duration(m.Time - c.Messages[i-1].Time)
		}
	}
	r, err := requester.Run(t.Context(), f, serve(t, f, &server{calls: forward(c)}), p)
	if err != nil || !r.Same() || r.Elapsed < gaps/20 || gaps < 50*time.Millisecond {
		t.Errorf("%v, %v, the same %v, in %v; the gaps are %v", err, r.Ended, r.Same(), r.Elapsed, gaps)
	}
}

// TestGone ends a replay to a server that has stopped answering.
func TestGone(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	s := &server{change: func(i int, _ *script.Call, reply []byte) ([]byte, bool) { return reply, i < 5 }}
	r, _ := replay(t, fabric.SoftRoCE(), c, s, requester.Options{ReplyLimit: 300 * time.Millisecond})
	if n := r.Counts(); r.Ended == nil || !strings.Contains(r.Ended.Error(), "answered nothing for 900ms") || n.Answered != 5 || n.NoReply == 0 || n.NotSent == 0 {
		t.Errorf("ended %v, %+v", r.Ended, n)
	}
}
