package verbatim_test

import (
	"bytes"
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/verbatim"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// FuzzBothSides plays both sides of captures that strangers changed to each other. Both come to
// an end, nothing is left, and each Send is as captured but for handles and offsets of its
// segments.
func FuzzBothSides(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb", "version2-roce"} {
		list := ruletest.Sample(f, "../../../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 250)])
	}
	for i := range samples {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), damage.Lose(60))
		f.Add(byte(i), damage.Change(70, 80, 1))
		f.Add(byte(i), damage.Cut(64, 100))
	}
	f.Fuzz(func(t *testing.T, which byte, edits []byte) {
		if len(edits) > 512 {
			return
		}
		c, err := replaytest.Conversation(t, damage.Edit(samples[int(which)%len(samples)], edits), script.Options{MaxBytes: 16 << 20})
		if err != nil {
			return
		}
		device := fabric.SoftRoCE()
		if c.IWARP {
			device = fabric.SoftIWARP()
		}
		client, err := verbatim.NewPlan(c, verbatim.Client)
		if err != nil {
			return
		}
		server, err := verbatim.NewPlan(c, verbatim.Server)
		replaytest.Must(t, err) // it has the same messages
		f := fabric.New(device)
		synctest.Test(t, func(t *testing.T) { played(t, f, client, server) })
		asCaptured(t, f, c)
	})
}

// played plays both plans to each other.
func played(t *testing.T, f *fabric.Fabric, client, server *verbatim.Plan) {
	o := verbatim.Options{Patience: 200 * time.Millisecond, MaxRegistered: 1 << 20}
	ctx, stop := context.WithCancel(t.Context())
	listening, ended := make(chan struct{}), make(chan error, 1)
	var theirs *verbatim.Result
	go func() {
		var err error
		theirs, err = verbatim.Listen(ctx, f, at, server, o, func(netip.AddrPort) { close(listening) })
		ended <- err
	}()
	<-listening
	ours, err := verbatim.Dial(ctx, f, at, client, o)
	if err != nil {
		// What a device has no room for, it says.
		if stop(); !strings.Contains(err.Error(), "private data") {
			t.Error(err)
		}
		<-ended
		return
	}
	replaytest.Must(t, <-ended)
	stop()
	if n := f.Left(); n != 0 {
		t.Errorf("%d connections and listeners are left", n)
	}
	for _, x := range []struct {
		r    *verbatim.Result
		plan *verbatim.Plan
	}{{ours, client}, {theirs, server}} {
		r, plan := x.r, x.plan
		if r.Sent > plan.Messages || r.Moved > plan.Operations || r.Received > plan.Expected || r.Ended == "" && (r.Sent != plan.Messages || r.Received != plan.Expected) {
			t.Errorf("of %d Sends, %d operations and %d messages that come: %+v", plan.Messages, plan.Operations, plan.Expected, r)
		}
	}
}

// asCaptured holds that what was sent is what the conversation has, in its order, for each side.
func asCaptured(t *testing.T, f *fabric.Fabric, c *script.Conversation) {
	t.Helper()
	left := make(map[bool][]*script.Message)
	for _, m := range c.Messages {
		left[m.ToServer] = append(left[m.ToServer], m)
	}
	for _, e := range f.Events() {
		if e.Kind != fabric.Send && e.Kind != fabric.SendInvalidate {
			continue
		}
		list := left[e.ToServer]
		if len(list) == 0 {
			t.Errorf("%v: more than was captured", e)
			return
		}
		m := list[0]
		left[e.ToServer] = list[1:]
		want := append(bytes.Clone(m.Bytes), make([]byte, m.Length-len(m.Bytes))...)
		got := bytes.Clone(e.Bytes)
		for _, b := range [][]byte{want, got} {
			for i := 0; ; i++ {
				at, ok := wire.SegmentAt(&m.Header, i)
				if !ok || at+rpcrdma.SegmentSize > len(b) {
					break
				}
				clear(b[at:][:rpcrdma.SegmentLength])                         // the handle
				clear(b[at+rpcrdma.SegmentLength+4 : at+rpcrdma.SegmentSize]) // the offset
			}
		}
		if !bytes.Equal(got, want) || (e.Kind == fabric.SendInvalidate) != m.HasInvalidated {
			t.Errorf("frame %d: % x, captured % x", m.Frame.Number, got, want)
		}
	}
}

// TestLongSend holds that a Send of which the capture has a little, and which claims to be long,
// is not made up to its length.
func TestLongSend(t *testing.T) {
	for length, want := range map[int]bool{256 << 10: true, 256<<10 + 1: false, 1 << 30: false} {
		c := &script.Conversation{Messages: []*script.Message{{ToServer: true, Bytes: make([]byte, 60), Length: length}}}
		for _, side := range []verbatim.End{verbatim.Client, verbatim.Server} {
			_, err := verbatim.NewPlan(c, side)
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "is longer than any Receive") {
				t.Errorf("%d bytes, the %v's side: %v", length, side, err)
			}
		}
	}
}
