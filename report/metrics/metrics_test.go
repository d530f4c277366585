package metrics

import (
	"bytes"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// samples are those that ship, or with -short a few of them.
func samples(t *testing.T) (list []string) {
	t.Helper()
	paths, err := filepath.Glob("../../samples/*.pcap.zst")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	for _, p := range paths {
		list = append(list, strings.TrimSuffix(filepath.Base(p), ".pcap.zst"))
	}
	if testing.Short() {
		return []string{"rxe-cb", "rxe-loss", "siw-cb", "version2-roce"}
	}
	return list
}

// TestFiguresAreThoseOfCheckAndStats holds that what is counted of a capture is what
// `rdmacap check` and `rdmacap stats` say of it.
func TestFiguresAreThoseOfCheckAndStats(t *testing.T) {
	for _, name := range samples(t) {
		t.Run(name, func(t *testing.T) {
			m, live := watching(io.Discard, Options{})
			sum := play(t, name, live, nil)
			got := series(t, m)

			want := map[string]int64{
				"frames_total": sum.Frames, "frame_bytes_total": sum.Bytes,
				"malformed_frames_total": sum.MalformedFrames, "bad_icrc_frames_total": sum.BadICRC, "bad_crc_fpdus_total": sum.BadCRC,
				"retransmissions_total": sum.Retransmissions, "lost_on_wire_frames_total": sum.LostOnWire,
				"lost_in_capture_frames_total": sum.LostInCapture, "connections_total": sum.Connections,
				"open_connections": 0, "credits_used{client}": 0, "credits_granted{client}": 0, "connections_out_of_credits{client}": 0,
			}
			for key, n := range want {
				if v, ok := got[key]; !ok || v != float64(n) {
					t.Errorf("%s is %v, want %d", key, v, n)
				}
			}
			for prefix, n := range map[string]int64{
				"messages_total{": sum.Messages, "rpcs_total{": sum.RPCs, "incomplete_rpcs_total{": sum.IncompleteRPCs,
			} {
				if v := total(got, prefix); v != float64(n) {
					t.Errorf("%s are %v, want %d", prefix, v, n)
				}
			}
			if other := strings.HasSuffix(name, "-perftest"); other != (sum.RPCs == 0) {
				t.Errorf("%d RPCs", sum.RPCs)
			}
			compareStats(t, name, got)
			compareFindings(t, name, got)
			compareMessages(t, name, got)
		})
	}
}

// total is the sum of series whose names have a prefix.
func total(all map[string]float64, prefix string) (sum float64) {
	for name, v := range all {
		if strings.HasPrefix(name, prefix) {
			sum += v
		}
	}
	return sum
}

func compareStats(t *testing.T, name string, got map[string]float64) {
	t.Helper()
	g := stats.New(func(*dissect.Connection, *stats.Connection) {})
	play(t, name, &judged{Gatherer: g}, nil)
	rows := g.Totals.Rows()
	for _, o := range rows {
		failed, _ := o.Errors.List()
		var errors int64
		for _, e := range failed {
			errors += e.Count
		}
		for key, n := range map[string]float64{
			"failed_rpcs_total": float64(errors), "incomplete_rpcs_total": float64(o.Incomplete), "rpc_latency_seconds": float64(o.Latency.Count),
			"rdma_read_bytes_total": float64(o.ReadBytes), "rdma_write_bytes_total": float64(o.WriteBytes),
		} {
			if v := got[key+"{"+o.Name+"}"]; v != n {
				t.Errorf("%s of %s is %v, stats has %v", key, o.Name, v, n)
			}
		}
	}
	if v := total(got, "rpcs_total{other}"); v != 0 || len(rows) > maxOperations {
		t.Errorf("%d operations, %v RPCs are of none of them", len(rows), v)
	}
}

// compareFindings compares with what check prints.
func compareFindings(t *testing.T, name string, got map[string]float64) {
	t.Helper()
	var printed bytes.Buffer
	list := catalogue.All()
	form := record.NewFindings(&printed, false, listing.Options{Names: []string{"x"}, Files: 1})
	c := check.New(form, check.Options{Rules: list, Config: rules.DefaultConfig(), Files: 1})
	play(t, name, c, nil)
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	want := make(map[string]float64)
	for _, f := range records[struct{ Rule, Severity string }](t, &printed, "finding") {
		want["findings_total{"+f.Rule+","+f.Severity+"}"]++
	}
	has := maps.Clone(got)
	maps.DeleteFunc(has, func(key string, n float64) bool { return !strings.HasPrefix(key, "findings_total{") || n == 0 })
	if !maps.Equal(has, want) {
		t.Errorf("findings are %v, check has %v", has, want)
	}
	if _, ok := got["findings_total{HDR-001,error}"]; !ok {
		t.Error("findings that did not come are not counted from 0 on")
	}
}

// compareMessages compares with the messages that read lists.
func compareMessages(t *testing.T, name string, got map[string]float64) {
	t.Helper()
	var printed bytes.Buffer
	rows := record.NewJSON(&printed, false, listing.Options{Level: listing.LevelMessage, Files: 1})
	play(t, name, &reading{rows}, nil)
	want := make(map[string]float64)
	for _, m := range records[struct{ Proc, Direction string }](t, &printed, "message") {
		if strings.HasPrefix(m.Proc, "rdma_proc ") { // a number without a name
			m.Proc = other
		}
		want["messages_total{"+m.Direction+","+m.Proc+"}"]++
	}
	has := maps.Clone(got)
	maps.DeleteFunc(has, func(key string, n float64) bool { return !strings.HasPrefix(key, "messages_total{") || n == 0 })
	if !maps.Equal(has, want) {
		t.Errorf("messages are %v, read has %v", has, want)
	}
}

// TestRulesThatAreNotShown holds that what nobody asked for is not counted from 0 on.
func TestRulesThatAreNotShown(t *testing.T) {
	list := catalogue.All()
	only, err := finding.Select(rules.Texts(list), "DDP,HDR-001")
	if err != nil {
		t.Fatal(err)
	}
	some, all := series(t, New(Options{Rules: rules.Texts(list), Selection: only})), series(t, New(Options{Rules: rules.Texts(list)}))
	has := func(in map[string]float64, id string) bool {
		for key := range in {
			if strings.HasPrefix(key, "findings_total{"+id) {
				return true
			}
		}
		return false
	}
	if !has(some, "DDP-") || !has(some, "HDR-001,") || has(some, "HDR-002") || has(some, "SEC-") || !has(all, "SEC-") || has(all, other) {
		t.Errorf("of some rules %v", some)
	}
}
