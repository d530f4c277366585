package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReportMemory holds that a ladder names no memory where the packet that would say
// it was lost.
func TestReportMemory(t *testing.T) {
	writes := 0
	for _, e := range reported(t, sample("rxe-loss")).Evidence(t) {
		if e.Ladder == nil {
			continue
		}
		for _, s := range e.Ladder.Steps {
			if s.K == "write" {
				writes++
			}
			if strings.Contains(s.X, "0x00000000, offset 0x0000000000000000") {
				t.Errorf("%s, frame %d: %q", e.Title, s.F, s.X)
			}
		}
	}
	if writes == 0 {
		t.Error("there are no RDMA Writes")
	}
}

// TestReportLateReply holds that a reply that is only told when the capture ends, because a
// frame before it is missing, has its words in the ladder.
func TestReportLateReply(t *testing.T) {
	const frame = 4916
	found := false
	for _, e := range reported(t, sample("rxe-loss")).Evidence(t) {
		if e.Ladder == nil {
			continue
		}
		for _, s := range e.Ladder.Steps {
			if s.F != frame {
				continue
			}
			found = true
			if s.M != "reply" || !strings.HasPrefix(s.X, "Send, reply 0x03cdea83 NFS3 READ, NFS3_OK, RDMA_MSG, ") {
				t.Errorf("%s: the step of frame %d is %q", e.Title, frame, s.X)
			}
		}
	}
	if !found {
		t.Errorf("no ladder has frame %d", frame)
	}
}

// TestReportLadderIsWhole holds that a ladder about no RPC has each frame of its
// connection, as a step, in one, or counted as not shown.
func TestReportLadderIsWhole(t *testing.T) {
	capture := sample("rxe-loss")
	var frames []int // of the one connection
	for line := range strings.Lines(must(t, "read", "-q", "--level", "frame", "--format", "ndjson", capture)) {
		var r struct {
			Type              string
			Frame, Connection int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "frame" && r.Connection == 1 {
			frames = append(frames, r.Frame)
		}
	}
	hidden := 0
	for _, e := range reported(t, capture).Evidence(t) {
		if e.Row >= 0 || e.Ladder == nil {
			continue
		}
		for i, s := range e.Ladder.Steps[1:] {
			before := e.Ladder.Steps[i]
			from, _ := slices.BinarySearch(frames, before.F)
			to, _ := slices.BinarySearch(frames, s.F)
			if to-from != before.N+s.Hidden {
				t.Errorf("%s: %d frames from frame %d to frame %d, %d of them in the step and %d not shown", e.Title, to-from, before.F, s.F, before.N, s.Hidden)
			}
			hidden += s.Hidden
		}
	}
	if hidden == 0 {
		t.Error("no frame is hidden")
	}
}

// TestReportRuns holds that frames are told as one step only where one follows the
// other: a step never has a pause of 10 ms in it.
func TestReportRuns(t *testing.T) {
	capture := sample("rxe-loss")
	times := make(map[int]time.Time)
	for line := range strings.Lines(must(t, "read", "-q", "--level", "frame", "--format", "ndjson", capture)) {
		var r struct {
			Frame int
			Time  time.Time
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		times[r.Frame] = r.Time
	}
	runs := 0
	for _, e := range reported(t, capture).Evidence(t) {
		if e.Ladder == nil {
			continue
		}
		for i, s := range e.Ladder.Steps {
			if s.N == 1 && s.Lasted != 0 || s.Lasted > (s.N-1)*int(10*time.Millisecond) {
				t.Errorf("%s: frame %d and what follows, %d in all, last %d ns", e.Title, s.F, s.N, s.Lasted)
			}
			if s.N > 1 {
				runs++
			}
			if end := times[s.F].Add(time.Duration(s.Lasted)); i+1 < len(e.Ladder.Steps) && end.After(times[e.Ladder.Steps[i+1].F]) {
				t.Errorf("%s: frame %d and what follows end behind the beginning of the next step", e.Title, s.F)
			}
		}
	}
	if runs == 0 {
		t.Error("no step is of several frames")
	}
}
