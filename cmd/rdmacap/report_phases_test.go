package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestReportPhases holds that the page says where the time of each RPC went, as `read` has it.
func TestReportPhases(t *testing.T) {
	type part struct{ ns, of int64 }
	latencies := latenciesOf(t, sample("rxe-loss"))
	known := 0
	for _, e := range reported(t, sample("rxe-loss")).Evidence(t) {
		for _, x := range e.Exhibits {
			if strings.HasPrefix(x.Title, "Where the time went") {
				t.Errorf("%s says it twice", e.Title)
			}
		}
		if len(e.Phases) == 0 {
			continue
		}
		known++
		parts, sum := make(map[string]part), int64(0)
		for _, p := range e.Phases {
			x := part{numberOf(t, p[2]), numberOf(t, p[3])}
			parts[p[0].(string)] = x
			if x.of == 1 && x.ns > 0 {
				sum += x.ns
			}
		}
		_, xid, _ := strings.Cut(e.Title, "RPC ")
		xid, _, _ = strings.Cut(xid, ",")
		if sum != latencies[xid] {
			t.Errorf("%s: the parts make %d ns, want %d", e.Title, sum, latencies[xid])
		}
		if xid == "0x03cdea83" && (parts["retransmission"].ns < 4_500_000_000 || parts["server"].ns > 1_000_000 || parts["credit_wait"].of != 0) {
			t.Errorf("the READ that waited for two time-outs: %v", e.Phases)
		}
	}
	if known < 10 {
		t.Errorf("%d RPCs say where their time went", known)
	}
}

// latenciesOf are the latencies of the RPCs of a capture by their XID, in nanoseconds.
func latenciesOf(t *testing.T, capture string) map[string]int64 {
	t.Helper()
	all := make(map[string]int64)
	for line := range strings.Lines(must(t, "read", "-q", "--format", "ndjson", capture)) {
		var r struct {
			Type, XID string
			Latency   int64 `json:"latency_ns"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "rpc" {
			all[r.XID] = r.Latency
		}
	}
	return all
}

// numberOf is a number of the page.
func numberOf(t *testing.T, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}
