package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is what `read --format csv` prints with these flags, without the line of names.
func table(t *testing.T, flags string, capture string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(must(t, append(append([]string{"read", "--format", "csv"}, strings.Fields(flags)...), sample(capture))...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestPlaces holds that rows of a place are those that all rows have of it.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const columns = "--columns no,conn,time,latency,frame.time_relative "
	seconds := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	all := table(t, columns, "rxe-basic")
	for flags, is := range map[string]func(row []string) bool{
		"--connection 2":               func(row []string) bool { return row[1] == "2" },
		"--connection 2,4 --workers 3": func(row []string) bool { return row[1] == "2" || row[1] == "4" },
		"--since 31.5 --until +1s":     func(row []string) bool { at := seconds(row[2]); return at+seconds(row[3]) >= 31.5 && at <= 32.5 },
		"--until 12.5 --workers 3":     func(row []string) bool { return seconds(row[2]) <= 12.5 },
		"--since 2026-11-21T01:40:00Z": func(row []string) bool { return seconds(row[2])+seconds(row[3]) >= 89.925601 },
		"--since 20 --connection 1":    func(row []string) bool { return seconds(row[2])+seconds(row[3]) >= 20 && row[1] == "1" },
	} {
		want := slices.DeleteFunc(slices.Clone(all), func(row []string) bool { return !is(row) })
		if len(want) == 0 || len(want) == len(all) {
			t.Fatalf("%s: %d rows of %d tell nothing", flags, len(want), len(all))
		}
		if got := table(t, columns+flags, "rxe-basic"); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %d rows, want %d", flags, len(got), len(want))
		}
	}
	for _, row := range all {
		if row[2] != row[4] {
			t.Fatalf("the time is %s, and the field %s", row[2], row[4])
		}
	}
	if got := table(t, "--level frame --columns no -Y frame.time_relative<2s", "rxe-loss"); len(got) == 0 || !slices.Equal(got[len(got)-1], table(t, "--level frame --columns no --until 1.9999999", "rxe-loss")[len(got)-1]) {
		t.Errorf("%d frames in two seconds", len(got))
	}
}

// TestPlacesWrong holds that a place that cannot be is an error of the command line.
func TestPlacesWrong(t *testing.T) {
	for args, want := range map[string]string{
		"read --since noon":                 `--since: "noon" is not a time`,
		"read --connection=-1":              `"-1" is not a connection number`,
		"read --connection 1,2-x":           `"2-x" is not a connection number`,
		"stats --until +3s":                 "--until: + counts from --since",
		"check --since 5 --until 4":         "--until is before --since",
		"check --connection 0":              "there is no connection 0",
		"check -Y finding.rul==1":           "did you mean finding.rule?",
		"stats -Y rpc.latncy":               "did you mean rpc.latency?",
		"annotate -o x.pcapng --since x":    "--since",
		"export objects -o x -Y nfs.opp":    "did you mean nfs.op?",
		"live --since 3 -r":                 "--since",
		"read --level frame --connection x": "--connection",
	} {
		r := rdmacap(append(strings.Fields(args), sample("rxe-cb"))...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
}

// TestStatsOfSome holds that statistics count what a filter lets through.
func TestStatsOfSome(t *testing.T) {
	t.Parallel()
	const flags = "--connection 1,3 -Y nfs.op==READ"
	rows := table(t, "--columns no "+flags, "rxe-basic")
	for _, workers := range []string{"1", "3"} {
		calls := int64(0)
		for line := range strings.Lines(must(t, append(append([]string{"stats", "--format", "ndjson", "--workers", workers}, strings.Fields(flags)...), sample("rxe-basic"))...)) {
			if r := decode(t, line).(map[string]any); r["type"] == "operation" && r["connection"] != nil {
				n, _ := r["calls"].(json.Number).Int64()
				calls += n
			}
		}
		text := must(t, append(append([]string{"stats", "-q", "--workers", workers}, strings.Fields(flags)...), sample("rxe-basic"))...)
		if strings.Contains(text, "#2") || !strings.Contains(text, "#3") || strings.Contains(text, "GETATTR  ") {
			t.Errorf("%s", text)
		}
		if len(rows) == 0 || int(calls) != len(rows) {
			t.Errorf("%d calls are counted, %d are listed", calls, len(rows))
		}
	}
}

// TestFindingsOfSome holds that findings are shown that were asked for, with what explains them,
// while the verdict is about all.
func TestFindingsOfSome(t *testing.T) {
	t.Parallel()
	findings := func(flags ...string) (list []map[string]any, verdict string) {
		out := rdmacap(append(append([]string{"check", "--format", "ndjson"}, flags...), sample("rxe-krb"))...).out
		for line := range strings.Lines(out) {
			switch r := decode(t, line).(map[string]any); r["type"] {
			case "finding":
				list = append(list, r)
			case "summary":
				verdict, _ = r["verdict"].(string)
			}
		}
		return list, verdict
	}
	all, whole := findings()
	for _, c := range []struct {
		flags []string
		is    func(f map[string]any) bool
	}{
		{[]string{"--connection", "3,5"}, func(f map[string]any) bool {
			n := f["connection"].(json.Number).String()
			return n == "3" || n == "5"
		}},
		{[]string{"-Y", `finding.rule == "RPC-005"`, "--workers", "3"}, func(f map[string]any) bool { return f["rule"] == "RPC-005" }},
		{[]string{"-Y", `finding.severity == note`}, func(f map[string]any) bool { return f["severity"] == "note" }},
		{[]string{"-Y", "frame.number == 758"}, func(f map[string]any) bool { return f["frame"].(json.Number).String() == "758" }},
	} {
		n := 0
		for _, f := range all {
			if c.is(f) {
				n++
			}
		}
		got, verdict := findings(c.flags...)
		if n == 0 || n == len(all) || len(got) != n {
			t.Errorf("%q: %d findings, want %d of %d", c.flags, len(got), n, len(all))
		}
		if said, more, _ := strings.Cut(verdict, " The verdict covers the captures as a whole"); said != whole || !strings.Contains(more, strconv.Itoa(n)+" of their ") {
			t.Errorf("%q: the verdict is %q, of all %q", c.flags, verdict, whole)
		}
	}
	if none := rdmacap("check", "--fail-on", "warning", "-Y", "frame.number == 999999", sample("rxe-krb")); none.status != exitDone ||
		!strings.Contains(none.out, "None of their 15 findings was selected.") || !strings.Contains(none.out, "no finding that was selected on 14 connections") {
		t.Errorf("status %d:\n%s", none.status, none.out)
	}
	if some := rdmacap("check", "--fail-on", "warning", "--connection", "3", sample("rxe-krb")); some.status != exitFindings {
		t.Errorf("status %d", some.status)
	}
	// what explains a finding that was asked for is shown with it
	out := rdmacap("check", "--brief", "-Y", `finding.rule == "TRANS-002"`, sample("rxe-loss")).out
	if !strings.Contains(out, "TRANS-002") || !strings.Contains(out, "TRANS-001") || strings.Contains(out, "THRESH") {
		t.Errorf("%s", out)
	}
}

// TestObjectsOfSome holds that data are exported of RPCs that a filter lets through.
func TestObjectsOfSome(t *testing.T) {
	names := func(flags ...string) (list []string) {
		dir := filepath.Join(t.TempDir(), "out")
		must(t, append(append([]string{"export", "objects", "-q", "-o", dir}, flags...), sample("rxe-basic"))...)
		list, err := filepath.Glob(filepath.Join(dir, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			list[i] = filepath.Base(list[i])
		}
		return list
	}
	all, some := names(), names("--connection", "1", "-Y", "nfs.op == WRITE")
	if len(some) != 4 || len(all) <= len(some) || !slices.Contains(some, "0003-big.write") || !slices.Contains(some, "manifest.json") {
		t.Errorf("%q of %q", some, all)
	}
}

// TestConnectionsThatAreNot holds that a connection which the captures do not have is an error, since
// nothing shown of it would read as nothing found.
func TestConnectionsThatAreNot(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"check", "check --fail-on never --format ndjson", "read", "read --workers 3 --format csv", "read --level frame", "stats",
		"export objects -o " + filepath.Join(t.TempDir(), "objects"), "report -o " + filepath.Join(t.TempDir(), "r.html"), "annotate -o " + filepath.Join(t.TempDir(), "a.pcapng"),
	} {
		r := rdmacap(append(strings.Fields(command), "--connection", "1,9", sample("rxe-cb"))...)
		if r.status != exitUnusable || !strings.Contains(r.err, "there is no connection 9: there are 2 connections (see 'rdmacap stats')") {
			t.Errorf("%s: exit status %d, %s", command, r.status, r.err)
		}
		if strings.Contains(r.out, "Exit status ") {
			t.Errorf("%s: standard output says another exit status:\n%s", command, r.out)
		}
	}
	if r := rdmacap("read", "--connection", "2", sample("rxe-loss")); !strings.Contains(r.err, "there is no connection 2: there is 1 connection (see") {
		t.Errorf("of one connection: %s", r.err)
	}
	if r := rdmacap("check", "--connection", "2", sample("rxe-cb")); r.status != exitDone || r.err != "" {
		t.Errorf("a connection that is there: exit status %d, %s", r.status, r.err)
	}
}
