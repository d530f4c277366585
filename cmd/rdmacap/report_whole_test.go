package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// columns are those of a series of the page.
type columns map[string][]*int64

func (c columns) sum(names ...string) (sum int64) {
	for _, name := range names {
		for _, v := range c[name] {
			if v != nil {
				sum += *v
			}
		}
	}
	return sum
}

// seriesIn are the columns of the blocks of a kind, each series'.
func seriesIn(t *testing.T, p *blocks.Page, kind string) (list []columns) {
	t.Helper()
	for _, b := range p.Of(kind) {
		var s struct{ Columns columns }
		if err := b.Decode(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s.Columns)
	}
	return list
}

// TestReportCountsTheWhole holds what the picture of each shipped capture is drawn from against what check counts
// of its connections, and against their charts.
func TestReportCountsTheWhole(t *testing.T) {
	names := few()
	if !slices.Contains(names, "rxe-loss") {
		names = append(names, "rxe-loss") // the others have no losses
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p := reported(t, sample(name))
			var want struct {
				Retransmissions, LostOnWire, NAKs, RNRs int64
			}
			counted := false
			for line := range strings.Lines(rdmacap("check", "--format", "ndjson", sample(name)).out) {
				var c struct {
					Type            string
					Final           bool
					Version         int `json:"rpcrdma_version"`
					Retransmissions int64
					LostOnWire      int64 `json:"lost_on_wire"`
					NAKs            int64
					RNRs            int64 `json:"rnr_naks"`
				}
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					t.Fatal(err)
				}
				if c.Type != "connection" || !c.Final || c.Version == 0 {
					continue
				}
				counted = true
				want.Retransmissions += c.Retransmissions
				want.LostOnWire += c.LostOnWire
				want.NAKs += c.NAKs
				want.RNRs += c.RNRs
			}
			list := seriesIn(t, p, "whole")
			if !counted {
				if len(list) > 0 && list[0].sum("to_server", "to_client") > 0 {
					t.Error("the whole has bytes, but no connection has RPC-over-RDMA")
				}
				return
			}
			if len(list) != 1 {
				t.Fatalf("there are %d blocks of the whole", len(list))
			}
			w := list[0]
			for _, x := range []struct {
				what      string
				got, want int64
			}{
				{"frames that were sent again", w.sum("retransmissions", "lost"), want.Retransmissions},
				{"frames that were lost before the capture", w.sum("lost"), want.LostOnWire},
				{"NAKs", w.sum("naks"), want.NAKs},
				{"RNR NAKs", w.sum("rnr_naks"), want.RNRs},
			} {
				if x.got != x.want {
					t.Errorf("%d %s, check counts %d", x.got, x.what, x.want)
				}
			}
			var bytes, errors int64
			for _, s := range seriesIn(t, p, "series") {
				bytes += s.sum("send_in", "send_out", "read", "write")
				errors += s.sum("errors")
			}
			if got := w.sum("to_server", "to_client"); got != bytes {
				t.Errorf("%d bytes, the charts have %d", got, bytes)
			}
			if got := w.sum("errors"); got != errors {
				t.Errorf("%d calls that failed, the charts have %d", got, errors)
			}
		})
	}
}

// TestReportHasStretches holds that both stalls of rxe-loss are in the page as stretches of time, though they are one
// finding: the first from the last frame before it to the one that it names, the second up to the one where it was found last.
func TestReportHasStretches(t *testing.T) {
	var first time.Time
	at := make(map[int64]int64) // nanoseconds since the first frame, by the frame's number
	for line := range strings.Lines(rdmacap("read", "--level", "frame", "--format", "ndjson", sample("rxe-loss")).out) {
		var f struct {
			Frame int64
			Time  time.Time
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if first.IsZero() {
			first = f.Time
		}
		at[f.Frame] = f.Time.Sub(first).Nanoseconds()
	}
	for _, n := range reported(t, sample("rxe-loss")).Find("article", "finding") {
		if blocks.Attr(n, "data-rule") != "SYM-001" {
			continue
		}
		var a, b, c, d int64
		if n, err := fmt.Sscanf(blocks.Attr(n, "data-stretches"), "%d-%d %d-%d", &a, &b, &c, &d); n != 4 {
			t.Fatalf("%d times of stretches: %v", n, err)
		}
		if a != at[4368] || b != at[4382] || d != at[4796] {
			t.Errorf("the stretches are from %d to %d and to %d, want frames 4368, 4382 and 4796 at %d, %d and %d", a, b, d, at[4368], at[4382], at[4796])
		}
		if second := time.Duration(d - c); second < 2200*time.Millisecond || second > 2300*time.Millisecond {
			t.Errorf("the second stall is %v long", second)
		}
		return
	}
	t.Error("there is no finding of SYM-001")
}
