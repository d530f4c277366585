package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/rows"
)

// Rows show the columns that were chosen, their own or any fields of filters, and no others.
func TestReadColumns(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string // a line each
	}{
		{"--columns no,rpc.xid,nfs.op,nfs.name,latency,rpc.auth,rpc.call.length", []string{
			"    No.  rpc.xid     nfs.op            nfs.name          Latency  rpc.auth          Call [B]",
			"     18  0xc92d105d  CREATE            small             42.3 ms  AUTH_SYS               136",
			"     28  0xd22d105d  WRITE             -                 94.3 ms  AUTH_SYS            262256",
		}},
		{"--columns " + strings.Repeat("rpc.xid,", 300) + "no,latency", []string{
			strings.Repeat("0xd22d105d  ", 300) + "     28  94.3 ms",
		}},
		{"--columns call_frame,frames,delta,peers", []string{
			"Call frame  Frames           Delta [s]  Requester → responder",
			"       198  198→513          -0.000718  192.0.2.2 → 192.0.2.1",
		}},
		{"--level message --columns no,time,conn,rdma.handle,rdma.segment_length,rdma.reply", []string{
			"    117    12.695658  #1    0x00000c81,0x00000b81,0x00000ab7          256,28672,4  true",
		}},
		{"--level frame --columns peers,No,ip.src,frame.time,bth.psn", []string{
			"192.0.2.2 → 192.0.2.1       97  192.0.2.2         2026-11-21T01:38:42.360564000Z   2242716",
		}},
	} {
		args := append(strings.Fields("read -q --workers 1 "+c.args), sample("rxe-basic"))
		out := must(t, args...)
		for _, want := range c.want {
			if !strings.Contains(out, "\n"+want+"\n") {
				t.Errorf("%s: no row %q", c.args, want)
			}
		}
		args[3] = "3"
		if with := must(t, args...); with != out {
			t.Errorf("%s: other rows with three workers", c.args)
		}
	}
}

// What is wrong with a list of columns is reported, with what was meant.
func TestReadColumnsWrong(t *testing.T) {
	for args, want := range map[string]string{
		"--columns rpc.latncy":                  "did you mean rpc.latency?",
		"--columns rpc.xid,":                    `"" is not a field`,
		"--columns bth.psn":                     "add --level frame",
		"--columns rpc.xid --format json":       "--columns works with --format text, csv and tsv",
		"--columns rpc.xid==1 --level message":  "rpc.xid",
		"--columns rdma.xid --format=ndjson -x": "--columns works with --format text, csv and tsv",
		"--format csv -V":                       "cannot show -V",
		"--time local":                          "relative, delta, absolute, utc or epoch",
		"--time utc --format json":              "--time works with --format text, csv and tsv",
		"--sort rpc.latncy":                     "did you mean rpc.latency?",
		"--sort status":                         "cannot be sorted by status",
		"--sort latency --format ndjson":        "--sort and --limit work",
		"--limit -1":                            "-1 rows",
	} {
		r := rdmacap(append(strings.Fields("read "+args), sample("rxe-basic"))...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
}

// TestColumnsHelp holds that every column that is listed can be shown, at its level.
func TestColumnsHelp(t *testing.T) {
	for _, level := range []string{"rpc", "message", "frame"} {
		listed := must(t, "read", "--columns", "help", "--level", level)
		var names []string
		for line := range strings.Lines(listed) {
			if name, ok := strings.CutPrefix(line, "  "); ok && name[0] != ' ' {
				names = append(names, strings.Fields(name)[0])
			}
		}
		if len(names) < 50 {
			t.Fatalf("%s: only %d columns:\n%s", level, len(names), listed)
		}
		out := must(t, "read", "--limit", "1", "--format", "csv", "--level", level, "--columns", strings.Join(names, ","), sample("rxe-cb"))
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 2 || !slices.Equal(rows[0], names) {
			t.Errorf("%s: %d rows, %v", level, len(rows), err)
		}
	}
}

// TestSeparated holds that programs can read rows, and that they say the same as records do.
func TestSeparated(t *testing.T) {
	out := must(t, "read", "--format", "csv", "--columns", "no,conn,xid,latency,reply,frames,operations", sample("rxe-krb"))
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var records []map[string]any
	for line := range strings.Lines(must(t, "read", "--format", "ndjson", sample("rxe-krb"))) {
		if r := decode(t, line).(map[string]any); r["type"] == "rpc" {
			records = append(records, r)
		}
	}
	if len(rows) != len(records)+1 || len(records) < 80 {
		t.Fatalf("%d rows, %d records", len(rows), len(records))
	}
	quoted := 0
	for i, r := range records {
		row := rows[i+1]
		latency := ""
		if ns, has := r["latency_ns"].(json.Number); has {
			seconds, _ := ns.Float64() // as it is a number
			latency = strconv.FormatFloat(seconds/1e9, 'f', 9, 64)
		}
		if row[0] != strconv.Itoa(i+1) || row[2] != r["xid"] || row[3] != latency || row[1] != r["connection"].(json.Number).String() {
			t.Errorf("row %v of the record %v", row, r)
		}
		if strings.Contains(row[6], `"`) {
			quoted++
		}
	}
	if quoted == 0 {
		t.Error("no cell with quotes was seen")
	}
	tabs := csv.NewReader(strings.NewReader(must(t, "read", "--format", "tsv", "--workers", "3", "--columns", "no,conn,xid,latency,reply,frames,operations", sample("rxe-krb"))))
	tabs.Comma = '\t'
	if with, err := tabs.ReadAll(); err != nil || !slices.EqualFunc(with, rows, slices.Equal) {
		t.Errorf("tabs part other cells: %v", err)
	}
	if out := must(t, "read", "--format", "csv", "--columns", "xid", "-Y", "rpc.xid == 1", sample("rxe-krb")); out != "xid\n" {
		t.Errorf("no row: %q", out)
	}
}

// TestTimes holds how the times of rows are written.
func TestTimes(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for how, want := range map[string]string{
		"relative": "time|12.125026000|12.179841000",
		"delta":    "time|0.000000000|0.054815000",
		"utc":      "time|2026-11-21T01:38:42.199425000Z|2026-11-21T01:38:42.254240000Z",
		"epoch":    "time|1795225122.199425000|1795225122.254240000",
	} {
		out := must(t, "read", "--format", "csv", "--columns", "time", "--limit", "2", "--time", how, sample("rxe-basic"))
		if got := strings.ReplaceAll(strings.TrimSpace(out), "\n", "|"); got != want {
			t.Errorf("%s: %s, want %s", how, got, want)
		}
	}
	out := must(t, "read", "-q", "--columns", "time", "--limit", "1", "--time", "utc", sample("rxe-basic"))
	if !strings.Contains(out, "Time (UTC)") || !strings.Contains(out, "\n2026-11-21 01:38:42.199425\n") {
		t.Errorf("%s", out)
	}
}

// TestSorted holds which rows come first, and how many there are.
func TestSorted(t *testing.T) {
	column := func(name string, args ...string) (list []float64) {
		args = append(append([]string{"read", "--format", "csv", "--columns", name}, args...), sample("rxe-basic"))
		for _, text := range strings.Fields(must(t, args...))[1:] {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, v)
		}
		return list
	}
	all := column("latency")
	slices.Sort(all)
	least := slices.Clone(all[:7])
	slices.Reverse(all)
	if got := column("latency", "--sort", "latency", "--limit", "20"); !slices.Equal(got, all[:20]) {
		t.Errorf("the slowest are %v, want %v", got, all[:20])
	}
	if got := column("latency", "--sort", "-rpc.latency", "--limit", "7"); !slices.Equal(got, least) {
		t.Errorf("the quickest are %v, want %v", got, least)
	}
	if got := column("no", "--limit", "3", "--sort", "-time"); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Errorf("the first are %v", got)
	}
	if got := column("no", "--limit", "3", "-Y", "nfs.op == READ"); len(got) != 3 || !slices.IsSorted(got) {
		t.Errorf("three READs: %v", got)
	}
	// those that have no name come last, in the order of the capture
	out := must(t, "read", "--columns", "nfs.name,no", "--sort", "nfs.name", sample("rxe-basic"))
	if !strings.Contains(out, "566 RPCs on") || strings.Contains(out, " shown; ") {
		t.Errorf("all are shown:\n%s", ends(out, 3))
	}
	rows := strings.Split(out, "\n")
	if last := rows[len(rows)-3]; !strings.HasPrefix(last, "-  ") || strings.HasPrefix(rows[3], "-  ") {
		t.Errorf("first %q, last %q", rows[3], last)
	}
	few := must(t, "read", "--limit", "2", sample("rxe-basic"))
	if !strings.Contains(few, "\n2 of 566 RPCs shown; ") || strings.Contains(few, "#2") {
		t.Errorf("%s", few)
	}
}

// TestStatsSeparated holds that programs read of statistics in cells what they read in records.
func TestStatsSeparated(t *testing.T) {
	t.Parallel()
	for _, capture := range []string{"rxe-loss", "siw-cb"} {
		out := must(t, "stats", "--format", "csv", sample(capture))
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		names, rows := rows[0], rows[1:]
		n := 0
		for line := range strings.Lines(must(t, "stats", "--format", "ndjson", sample(capture))) {
			r := decode(t, line).(map[string]any)
			if r["type"] != "operation" {
				continue
			}
			if n == len(rows) {
				t.Fatalf("%s: more than %d operations", capture, n)
			}
			for i, cell := range rows[n] {
				want := r[names[i]]
				switch names[i] {
				case "operation":
					want = r["name"]
				case "errors":
					want = r["errors"].(json.Number)
				case "min", "p50", "p90", "p99", "max":
					want = nil
					if l, has := r["latency_ns"].(map[string]any); has {
						seconds, _ := l[names[i]].(json.Number).Float64() // as it is a number
						want = strconv.FormatFloat(seconds/1e9, 'f', 9, 64)
					}
				}
				if want == nil {
					want = ""
				} else if number, is := want.(json.Number); is {
					want = number.String()
				}
				if cell != want {
					t.Errorf("%s, row %d: %s is %q, want %q", capture, n, names[i], cell, want)
				}
			}
			n++
		}
		if n != len(rows) || n < 4 {
			t.Errorf("%s: %d rows, %d operations", capture, len(rows), n)
		}
		if tabs := must(t, "stats", "--format", "tsv", "--workers", "3", sample(capture)); strings.ReplaceAll(tabs, "\t", ",") != out {
			t.Errorf("%s: with tabs, and three workers, there is something else:\n%s", capture, tabs)
		}
	}
}

// TestSortedSaysWhatIsNotListed holds that rows for programs do not end without a word.
func TestSortedSaysWhatIsNotListed(t *testing.T) {
	t.Parallel()
	all := len(table(t, "--level frame --columns no", "rxe-basic"))
	sorted := rdmacap("read", "--level", "frame", "--format", "csv", "--columns", "no", "--sort", "no", sample("rxe-basic"))
	want := fmt.Sprintf("%d rows are not listed: --sort lists %d", all-rows.SortedMost, rows.SortedMost)
	if sorted.status != exitDone || !strings.Contains(sorted.err, want) || strings.Count(sorted.out, "\n") != 1+rows.SortedMost {
		t.Errorf("exit status %d, %d lines, %s; want %q", sorted.status, strings.Count(sorted.out, "\n"), sorted.err, want)
	}
	if limited := rdmacap("read", "--level", "frame", "--format", "csv", "--sort", "no", "--limit", "5", sample("rxe-basic")); limited.err != "" {
		t.Errorf("with --limit: %s", limited.err)
	}
}

// TestStatusNames holds that a status has the name that its version of NFS gives it.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	versions := make(map[string]int)
	for _, row := range table(t, "--columns proc,status,nfs.status", "rxe-basic") {
		program, _, _ := strings.Cut(row[0], " ")
		if row[2] == "" {
			continue
		}
		first, _, _ := strings.Cut(row[2], ",")
		if first != row[1] {
			t.Errorf("%s: the status is %s, and the field %s", row[0], row[1], row[2])
		}
		versions[program]++
	}
	if versions["NFS3"] == 0 || versions["NFS4"] == 0 {
		t.Errorf("statuses of %v only", versions)
	}
}
