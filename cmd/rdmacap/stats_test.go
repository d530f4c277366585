package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStatsGoldens holds what a person sees, and what a program reads.
func TestStatsGoldens(t *testing.T) {
	for name, args := range map[string][]string{
		"stats-rxe-cb.txt":               {"stats", sample("rxe-cb")},
		"stats-rxe-loss.txt":             {"stats", sample("rxe-loss")},
		"stats-siw-perftest.txt":         {"stats", sample("siw-perftest")},
		"stats-format-ndjson-rxe-cb.txt": {"stats", "--format", "ndjson", sample("rxe-cb")},
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, timeless(must(t, args...))) })
	}
}

var (
	subjectMembers = members{
		"type": text, "name": text, "reverse": boolean, "program": nullOr(integer), "version": nullOr(integer),
		"procedure": nullOr(integer), "operation": nullOr(text), "calls": integer, "replies": integer,
		"errors": integer, "errors_of_other_names": integer,
		"errors_by_name": listOf(object(members{"name": text, "count": integer}, nil)),
	}
	transferKind = object(members{"inline": integer, "chunked": integer, "long": integer}, nil)
	creditsKind  = nullOr(object(members{"min": integer, "max": integer, "last": integer}, nil))
	callsKind    = object(members{"calls": integer, "most_open": integer, "credits_requested": creditsKind, "credits_granted": creditsKind}, nil)
	sendsKind    = object(members{"sends": integer, "longest": integer, "invalidates": integer}, nil)

	// statsRecords are the records that stand beside those of read.
	statsRecords = map[string]kind{
		"operation": object(subjectMembers.with(members{
			"connection": nullOr(integer), "unanswered": integer, "incomplete": integer,
			"call_bytes": integer, "reply_bytes": integer, "rdma_read_bytes": integer, "rdma_write_bytes": integer,
			"call_transfer": transferKind, "reply_transfer": transferKind,
			"latency_ns": nullOr(object(members{"count": integer, "min": integer, "p50": integer, "p90": integer, "p99": integer, "max": integer}, nil)),
			"parts_ns": object(members{
				"credit_wait": integer, "call": integer, "read_chunks": integer, "server": integer,
				"write_chunks": integer, "reply": integer, "retransmission": integer, "unattributed": integer,
			}, nil),
		}), members{"gss_proc": text}),
		"compound_operation": object(subjectMembers.with(members{"not_reached": integer}), nil),
		"connection_statistics": object(members{
			"type": text, "connection": integer, "seconds": number, "rpcs": integer, "unlisted_rpcs": integer,
			"calls_to_server": callsKind, "calls_to_client": callsKind, "sends_to_server": sendsKind, "sends_to_client": sendsKind,
		}, nil),
	}
)

// TestStatsRecords holds every record of every sample against these tables, the
// order of the records, and sums.
func TestStatsRecords(t *testing.T) {
	for _, name := range samples {
		t.Run(name, func(t *testing.T) {
			var o order
			sums := map[bool]int64{} // of calls, by whether it is a row of the totals
			rpcs := map[string]int64{}
			for line := range strings.Lines(must(t, "stats", "--format", "ndjson", sample(name))) {
				r := decode(t, line).(map[string]any)
				o.take(t, r)
				kind, _ := r["type"].(string)
				if k := statsRecords[kind]; k == nil {
					checkRecord(t, r)
				} else if err := k(r); err != nil {
					t.Fatalf("%s record: %v\n%v", kind, err, r)
				}
				switch kind {
				case "operation":
					sums[r["connection"] == nil] += whole(t, r["calls"])
				case "connection_statistics":
					rpcs[kind] += whole(t, r["rpcs"])
				case "summary":
					rpcs[kind] = whole(t, r["rpcs"])
				}
			}
			o.end(t)
			if sums[true] != sums[false] || rpcs["connection_statistics"] != rpcs["summary"] {
				t.Errorf("%d calls in the totals, %d by connection; %d RPCs in the summary, %d by connection",
					sums[true], sums[false], rpcs["summary"], rpcs["connection_statistics"])
			}
			if sums[true] == 0 && !strings.HasSuffix(name, "-perftest") { // which have no RPC
				t.Error("no calls in it")
			}
		})
	}
}

func whole(t *testing.T, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStatsCountWhatReadLists holds the calls of each procedure against the rows
// that read lists.
func TestStatsCountWhatReadLists(t *testing.T) {
	for _, name := range samples {
		listed, counted := map[string]int64{}, map[string]int64{}
		for line := range strings.Lines(must(t, "read", "--format", "ndjson", sample(name))) {
			if r := decode(t, line).(map[string]any); r["type"] == "rpc" && r["call"] != nil {
				what, _, _ := strings.Cut(r["summary"].(string), ",")
				listed[what]++
			}
		}
		for line := range strings.Lines(must(t, "stats", "--format", "ndjson", sample(name))) {
			r := decode(t, line).(map[string]any)
			if r["type"] != "operation" || r["connection"] == nil {
				continue
			}
			if n := whole(t, r["calls"]); n > 0 {
				counted[r["name"].(string)] += n
			}
		}
		if !maps.Equal(listed, counted) {
			t.Errorf("%s: read lists %v, stats counts %v", name, listed, counted)
		}
	}
}

// TestStatsArray holds that json is the records of ndjson as one array.
func TestStatsArray(t *testing.T) {
	array := decode(t, timeless(must(t, "stats", "--format", "json", sample("rxe-cb")))).([]any)
	lines := slices.Collect(strings.Lines(timeless(must(t, "stats", "--format", "ndjson", sample("rxe-cb")))))
	if len(array) != len(lines) {
		t.Fatalf("%d records in the array, %d lines", len(array), len(lines))
	}
	for i, line := range lines {
		if want := decode(t, line); !reflect.DeepEqual(array[i], want) {
			t.Fatalf("record %d: %v, want %v", i, array[i], want)
		}
	}
}

// TestStatsColor holds that colour changes nothing but colour, and what -q takes
// away.
func TestStatsColor(t *testing.T) {
	never := must(t, "stats", "-q", "--color", "never", sample("rxe-basic"))
	always := must(t, "stats", "-q", "--color", "always", sample("rxe-basic"))
	if strings.Contains(never, "\x1b") || !strings.Contains(always, "\x1b[") || escapes.ReplaceAllString(always, "") != never {
		t.Error("colour changes more than colour, or nothing")
	}
	loud := must(t, "stats", "--color", "never", sample("rxe-basic"))
	if summary := last(loud); loud != never+summary+"\n" || !strings.HasPrefix(summary, "566 RPCs on 4 connections") {
		t.Errorf("-q takes away more than the summary %q, or less", summary)
	}
	for line := range strings.Lines(loud) {
		if strings.HasSuffix(line, " \n") {
			t.Errorf("spaces at the end of %q", line)
		}
	}
}

func TestStatsMisuse(t *testing.T) {
	for args, want := range map[string]string{
		"stats":                `stats needs a capture file, or - for standard input (see 'rdmacap stats --help')`,
		"stats --format xls x": `--format: unknown format "xls": use text, json, ndjson, csv or tsv (see 'rdmacap stats --help')`,
		"stats --color blue x": `--color: unknown value "blue": use auto, always or never (see 'rdmacap stats --help')`,
		"stats --binding none": `stats needs a capture file, or - for standard input (see 'rdmacap stats --help')`,
	} {
		r := rdmacap(strings.Fields(args)...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+want+"\n" {
			t.Errorf("rdmacap %s: status %d, standard output %q, standard error\n%q, want\n%q", args, r.status, r.out, r.err, want)
		}
	}
	if out := must(t, "stats", "--help"); !strings.Contains(out, "Examples:") {
		t.Errorf("the help shows no example:\n%s", out)
	}
	// What is cut is counted as far as it goes.
	r := rdmacap("stats", write(t, "cut.pcap", unpacked(t, "rxe-cb")[:50_000]))
	if r.status != exitDone || !strings.Contains(r.out, "NFS4 OPEN") || !strings.HasPrefix(r.err, "rdmacap: warning: ") {
		t.Errorf("a capture that is cut: status %d, standard error %q, standard output\n%s", r.status, r.err, r.out)
	}
}

// TestStatsOfDamage holds that whatever is counted can be shown.
func TestStatsOfDamage(t *testing.T) {
	file := unpacked(t, "rxe-cb")
	for _, n := range []int{42, 54, 60, 80, 100, 140} { // bytes of each frame
		path := write(t, "snapped.pcap", snapped(file, n))
		for _, form := range []string{"text", "json"} {
			r := rdmacap("stats", "--format", form, path)
			checkStatus(t, r)
			checkText(t, r.out)
			if form == "json" && r.out != "" {
				decode(t, r.out)
			}
		}
	}
}

// TestStatsColumns holds that columns, order and limit choose of what is there without them.
func TestStatsColumns(t *testing.T) {
	t.Parallel()
	read := func(flags string) [][]string {
		t.Helper()
		out := must(t, append(append([]string{"stats", "--format", "csv"}, strings.Fields(flags)...), sample("rxe-basic"))...)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	all := read("")
	column := func(name string) int { return slices.Index(all[0], name) }
	if listed := len(strings.Split(strings.TrimSpace(must(t, "stats", "--columns", "help")), "\n")); listed != len(all[0]) {
		t.Errorf("--columns help lists %d columns of %d", listed, len(all[0]))
	}
	var want [][]string // of all connections together, the three with the greatest p99
	for _, row := range all {
		if row[0] == "" {
			want = append(want, []string{row[column("p99")], row[column("operation")], ""})
		}
	}
	slices.SortStableFunc(want, func(a, b []string) int {
		x, _ := strconv.ParseFloat(a[0], 64)
		y, _ := strconv.ParseFloat(b[0], 64)
		return cmp.Compare(y, x)
	})
	got := read("--columns p99,operation,connection --sort p99 --limit 3")
	if got = got[len(got)-3:]; !slices.EqualFunc(got, want[:3], slices.Equal) {
		t.Errorf("%q, want %q", got, want[:3])
	}
	text := must(t, "stats", "--sort", "p99", "--limit", "3", sample("rxe-basic"))
	if more := fmt.Sprintf("   … %d more operations\n", len(want)-3); !strings.Contains(text, more) {
		t.Errorf("%q is not there:\n%s", more, text)
	}
	for args, want := range map[string]string{
		"--columns p99":               "--columns works with --format csv and tsv",
		"--format csv --columns p98":  `there is no column "p98"`,
		"--format json --sort p99":    "--sort and --limit work with --format text, csv and tsv",
		"--sort p98":                  `there is no column "p98"`,
		"--format ndjson --limit 3":   "--sort and --limit work with --format text, csv and tsv",
		"--format csv --limit -3":     "-3 operations cannot be listed",
		"--format csv --columns p99,": `there is no column ""`,
	} {
		r := rdmacap(append(append([]string{"stats"}, strings.Fields(args)...), sample("rxe-basic"))...)
		if r.status != exitUnusable || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit status %d, %s", args, r.status, r.err)
		}
	}
}
