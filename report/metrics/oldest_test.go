package metrics

import (
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// Frames of samples/faults/stall4s, by their numbers: a call that hangs for 3.83 s, its acknowledgement, the reply and its
// acknowledgement, the next call, the disconnect at the end.
const (
	stallCall, stallAcked   = 782, 783
	stallReply, stallThanks = 784, 785
	stallNext, stallNextAck = 786, 787
	stallLater, stallAnswer = 863, 865 // another call, and its reply: no other is open then
	stallDREQ               = 1319
)

// everyWay runs a test without shards, and with one and three workers.
func everyWay(t *testing.T, do func(t *testing.T, workers int)) {
	t.Helper()
	for _, workers := range []int{0, 1, 3} {
		t.Run(map[int]string{0: "plain", 1: "one worker", 3: "three workers"}[workers], func(t *testing.T) { do(t, workers) })
	}
}

// TestOldestCall holds that a call that hangs grows older while no frame comes, by the time of the capture, and that nothing
// is open when it is answered.
func TestOldestCall(t *testing.T) {
	f := loaded(t, "faults/stall4s")
	since := func(call, last int) time.Duration { return time.Duration(f[last-1].Time - f[call-1].Time) }
	everyWay(t, func(t *testing.T, workers int) {
		x := tap(t, workers)
		x.come(f[:stallCall-1]...)
		x.open("everything is answered", 0, 0, 0)
		x.come(f[stallCall-1])
		x.open("the call came", 0, 1, 0)
		x.come(f[stallAcked-1])
		x.open("it was acknowledged", 0, 1, since(stallCall, stallAcked))
		x.open("it hangs", time.Second, 1, since(stallCall, stallAcked)+time.Second)
		x.open("it hangs", 3*time.Second, 1, since(stallCall, stallAcked)+3*time.Second)
		x.come(f[stallReply-1])
		x.open("it was answered", 0, 0, 0)
		x.open("it was answered", time.Minute, 0, 0)
		x.end()

		x = tap(t, workers)
		x.come(f...)
		x.open("entire capture", time.Minute, 0, 0)
		x.end()
	})
}

// TestOldestCallOfAConnectionThatEnds holds that nothing waits where nothing can come, although no frame follows.
func TestOldestCallOfAConnectionThatEnds(t *testing.T) {
	f := loaded(t, "faults/stall4s")
	everyWay(t, func(t *testing.T, workers int) {
		x := tap(t, workers)
		x.come(f[:stallAcked]...)
		x.open("it hangs", 10*time.Second, 1, time.Duration(f[stallAcked-1].Time-f[stallCall-1].Time)+10*time.Second)
		gone := slices.Clone(f[stallDREQ-1 : stallDREQ+1])
		for i := range gone {
			gone[i].Time = f[stallAcked-1].Time + int64(20*time.Second)
		}
		x.come(gone...)
		x.open("the connection was ended", 0, 0, 0)
		x.open("the connection was ended", time.Minute, 0, 0)
		x.end()
	})
}

// TestOldestCallWithoutItsReply holds that a call does not stay open whose reply the capture may lack, whatever shows it.
func TestOldestCallWithoutItsReply(t *testing.T) {
	f := loaded(t, "faults/stall4s")
	acked := f[:stallAcked]
	dropped := f[stallReply-1] // of nobody that matters: that it comes says that others do not
	dropped.Data, dropped.Length = make([]byte, 60), 60
	dropped.Extra = &capture.Extra{Dropped: true}
	fromClient := func(i int) bool { return string(f[i-1].Data[26:30]) == string(f[stallCall-1].Data[26:30]) }
	var oneWay []capture.Frame
	for i := 1; i <= stallAcked; i++ {
		if len(f[i-1].Data) > 30 && fromClient(i) {
			oneWay = append(oneWay, f[i-1])
		}
	}
	for _, c := range []struct {
		what   string
		frames []capture.Frame
		calls  float64
		age    time.Duration
	}{
		{"its acknowledgement came", slices.Concat(acked, f[stallThanks-1:stallThanks]), 0, 0},
		{"further replies came", slices.Concat(acked, f[stallNext-1:stallAnswer]), 0, 0},
		{"further replies came, and a call", slices.Concat(acked, f[stallNext-1:stallLater]), 1, 9 * time.Second},
		{"frames were dropped", slices.Concat(acked, []capture.Frame{dropped}), 0, 0},
		{"there is one direction", oneWay, 0, 0},
		{"the next call came, and nothing of its acknowledgement", slices.Concat(acked, f[stallThanks-1:stallNext]), 0, 0},
		{"a call behind the drop", slices.Concat(acked, []capture.Frame{dropped}, f[stallNext-1:stallNextAck]), 1, time.Duration(f[stallNextAck-1].Time-f[stallNext-1].Time) + 9*time.Second},
	} {
		t.Run(c.what, func(t *testing.T) {
			everyWay(t, func(t *testing.T, workers int) {
				x := tap(t, workers)
				x.come(c.frames...)
				x.open(c.what, 9*time.Second, c.calls, c.age)
				x.end()
			})
		})
	}
}

// TestOldestCallOfConnections holds that of several connections, whoever follows them, the calls are added up and the oldest
// of all is told.
func TestOldestCallOfConnections(t *testing.T) {
	const call, reply = 71, 72 // of samples/siw-cb
	f, g := loaded(t, "faults/stall4s"), loaded(t, "siw-cb")
	hung, acked := f[stallCall-1].Time, f[stallAcked-1].Time
	at := func(list []capture.Frame, s time.Duration) []capture.Frame {
		list = slices.Clone(list)
		for i := range list {
			list[i].Time = acked + int64(s)
		}
		return list
	}
	everyWay(t, func(t *testing.T, workers int) {
		x := tap(t, workers)
		x.come(f[:stallAcked]...)
		x.come(at(g[:call], 2*time.Second)...)
		x.open("two calls hang", time.Second, 2, time.Duration(acked-hung)+3*time.Second)
		x.come(at(f[stallReply-1:stallReply], 4*time.Second)...)
		x.open("one is answered", time.Second, 1, 3*time.Second)
		x.come(at(g[reply-1:reply], 6*time.Second)...)
		x.open("both are", time.Second, 0, 0)
		x.end()
	})
}

// TestOldestCallOfTheServer is about the reverse direction.
func TestOldestCallOfTheServer(t *testing.T) {
	const call, reply = 509, 511 // a CB_RECALL of samples/rxe-cb
	f := loaded(t, "rxe-cb")
	everyWay(t, func(t *testing.T, workers int) {
		x := tap(t, workers)
		x.come(f[:call]...)
		x.holds("a callback hangs", 7*time.Second, "server", 1, 7*time.Second)
		x.come(f[call:reply]...)
		x.holds("it was answered", 0, "server", 0, 0)
		x.end()
	})
}

// TestOldestCallWhereTheClockWasSetBack holds that a call is no older for a clock that was set back before it.
func TestOldestCallWhereTheClockWasSetBack(t *testing.T) {
	f := loaded(t, "faults/stall4s")
	for i := stallCall - 1; i < stallAcked; i++ {
		f[i].Time -= int64(time.Hour)
	}
	everyWay(t, func(t *testing.T, workers int) {
		x := tap(t, workers)
		x.come(f[:stallAcked]...)
		x.open("the clock was set back", 0, 1, 0)
		x.end()
	})
}

// TestOldestIsAList holds that connections of several counters come and go.
func TestOldestIsAList(t *testing.T) {
	var all oldest
	var a, b counter
	var x, y, z connection
	all.reached(100)
	holds := func(step string, client, server time.Duration) {
		t.Helper()
		all.takeOldest(&a)
		all.takeOldest(&b)
		if got := all.ages(); got != [2]time.Duration{client, server} {
			t.Errorf("%s: %v, want %v and %v", step, got, client, server)
		}
		for i, w := range all.list {
			if w.of.place != i+1 || w.since != w.of.oldest {
				t.Errorf("%s: number %d of the list is %+v", step, i, w)
			}
		}
	}
	holds("nothing", 0, 0)
	a.waits(&x, since{40, 0})
	b.waits(&y, since{60, 90})
	a.waits(&z, since{70, 95})
	holds("three", 60, 10)
	a.waits(&x, since{})
	holds("the first is answered", 40, 10)
	b.waits(&y, since{0, 90})
	b.waits(&y, since{})
	b.waits(&y, since{98, 0})
	holds("another changes its mind", 30, 5)
	a.waits(&z, since{})
	b.waits(&y, since{200, 0}) // told of before time is
	holds("one is left", 0, 0)
	b.waits(&y, since{})
	if holds("none", 0, 0); len(all.list) > 0 || len(a.changed)+len(b.changed) > 0 {
		t.Errorf("%d are left", len(all.list))
	}
}
