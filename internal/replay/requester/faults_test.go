package requester_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestCredits holds that no more calls are open than the server grants, whatever the capture
// had, and that credits can be ignored, which breaks the connection.
func TestCredits(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	s := &server{change: func(_ int, _ *script.Call, reply []byte) ([]byte, bool) {
		reply[11] = 1
		return reply, true
	}}
	r, _ := replay(t, fabric.SoftRoCE(), c, s, requester.Options{})
	if r.Open != 1 || !r.Same() || r.Grant != 1 {
		t.Errorf("%d open at once, grant %d, the same %v", r.Open, r.Grant, r.Same())
	}
	slow := &server{receives: 8, change: func(int, *script.Call, []byte) ([]byte, bool) { return nil, false }}
	r, _ = replay(t, fabric.SoftRoCE(), c, slow, requester.Options{IgnoreCredits: true})
	if r.Ended == nil || r.Open <= 8 || !strings.Contains(r.Ended.Error(), "ended") {
		t.Errorf("ended %v with %d open at once", r.Ended, r.Open)
	}
}

// TestAllAtOnce holds that without regard to credits all calls are sent before a reply is looked at, at any pace.
func TestAllAtOnce(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	f := fabric.New(fabric.SoftRoCE())
	p, err := requester.NewPlan(c, requester.Options{IgnoreCredits: true, Speed: 1e-6, TimeLimit: time.Minute, MaxCalls: 30})
	if err != nil {
		t.Fatal(err)
	}
	r, err := requester.Run(t.Context(), f, serve(t, f, &server{receives: 512, calls: forward(c)}), p)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Counts(); r.Ended != nil || r.Open != len(r.Exchanges) || n.Answered != len(r.Exchanges) {
		t.Errorf("ended %v; %d of %d calls open at once, %d answered", r.Ended, r.Open, len(r.Exchanges), n.Answered)
	}
}

// TestOversize makes a Send longer than what the server receives.
func TestOversize(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	r, _ := replay(t, fabric.SoftRoCE(), c, &server{}, requester.Options{Oversize: -1, MaxCalls: 5})
	last := r.Exchanges[len(r.Exchanges)-1]
	if r.Ended == nil || len(r.Exchanges) != 5 || last.Outcome != requester.NoReply || len(last.Notes) != 1 || !strings.Contains(last.Notes[0], "sent with 4100 bytes") {
		t.Errorf("ended %v; %d exchanges, the last %+v", r.Ended, len(r.Exchanges), last)
	}
	if n := r.Counts(); n.Answered != 4 {
		t.Errorf("%+v", n)
	}
}

// TestEdit changes a field of some calls, which the server sees.
func TestEdit(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{Marks: []func(*dissect.RPC) bool{
		func(r *dissect.RPC) bool { return string(r.AppendName(nil, r.Ops(nil))) == "NFS3 MKDIR" },
	}})
	edit := requester.Edit{Edit: wire.Edit{Field: "rdma.credits", Nth: -1, Value: 7}}
	r, f := replay(t, fabric.SoftRoCE(), c, &server{}, requester.Options{Edits: []requester.Edit{edit}})
	if !r.Same() {
		t.Errorf("%+v", r.Counts())
	}
	edited := 0
	for _, e := range f.Events() {
		if e.Kind == fabric.Send && e.ToServer && e.Bytes[11] == 7 {
			edited++
		}
	}
	if edited != 2 {
		t.Errorf("%d Sends with 7 credits, want those of 2 MKDIR", edited)
	}
}

// TestLimits holds that a replay ends in time, when it is told to, and that memory has a
// bound.
func TestLimits(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	r, _ := replay(t, fabric.SoftRoCE(), c, &server{change: func(i int, _ *script.Call, reply []byte) ([]byte, bool) { return reply, i < 3 }},
		requester.Options{TimeLimit: 50 * time.Millisecond})
	if r.Ended == nil || !strings.Contains(r.Ended.Error(), "time limit") {
		t.Errorf("ended %v", r.Ended)
	}
	small := &server{}
	for _, call := range forward(c) {
		size := uint32(0)
		for i := range call.Segments {
			size += call.Segments[i].Length
		}
		if size <= 10_000 {
			small.calls = append(small.calls, call)
		}
	}
	r, _ = replay(t, fabric.SoftRoCE(), c, small, requester.Options{MaxRegistered: 10_000})
	refused := 0
	for _, e := range r.Exchanges {
		if e.Outcome == requester.NotSent && strings.Contains(e.Why, "would have to be registered") {
			refused++
		}
	}
	if refused != len(forward(c))-len(small.calls) || r.Counts().Answered != len(small.calls) || r.Registered > 10_000 {
		t.Errorf("%d refused, %d registered", refused, r.Registered)
	}
}

// TestInterrupted ends a replay from outside.
func TestInterrupted(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	f := fabric.New(fabric.SoftRoCE())
	p, err := requester.NewPlan(c, requester.Options{Speed: 0.001})
	if err != nil {
		t.Fatal(err)
	}
	to := serve(t, f, &server{calls: forward(c)})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	r, err := requester.Run(ctx, f, to, p)
	if err != nil || r.Ended == nil || r.Counts().NotSent == 0 {
		t.Errorf("%v, ended %v", err, r)
	}
}
