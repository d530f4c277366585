package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/duckdb"
	"github.com/rdmacap/rdmacap/internal/long"
)

// parquetOf exports captures into a folder of the test's own.
func parquetOf(t *testing.T, args ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out := must(t, append([]string{"export", "parquet", "-q", "-o", dir}, args...)...); out != "" {
		t.Errorf("with -q it prints %q", out)
	}
	return dir
}

// TestParquetIsAsRead has DuckDB read datasets, and holds each row against the JSON record of the
// same thing, field by field.
func TestParquetIsAsRead(t *testing.T) {
	for name, files := range map[string][]string{
		"rxe-basic": {sample("rxe-basic")},
		"rxe-krb":   {sample("rxe-krb")},
		"rxe-loss":  {sample("rxe-loss")},
		"two":       {sample("rxe-cb"), sample("siw-basic")},
		"version 2": {sample("version2-roce")},
	} {
		t.Run(name, func(t *testing.T) {
			dir := parquetOf(t, append([]string{"--datasets", "rpcs,messages,findings,connections,frames"}, files...)...)
			var sql []string
			datasets := []string{"rpcs", "messages", "frames", "findings", "connections"}
			for _, dataset := range datasets {
				sql = append(sql, fmt.Sprintf("SELECT * FROM '%s/*/*/*.parquet'", dataset))
			}
			answers := duckdb.Query(t, dir, sql...)
			for i, args := range [][]string{
				{"read", "--level", "rpc"}, {"read", "--level", "message"}, {"read", "--level", "frame"}, {"check", "--fail-on", "never"}, {"check", "--fail-on", "never"},
			} {
				kind := strings.TrimSuffix(datasets[i], "s")
				holdRows(t, kind, recordsAsked(t, kind, append(append(args, "-q", "--format", "ndjson"), files...)...), answers[i])
			}
		})
	}
}

// recordsAsked are the records of a type that a command prints; of connections the last.
func recordsAsked(t *testing.T, kind string, args ...string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(must(t, args...)) {
		r := decode(t, line).(map[string]any)
		if r["type"] != kind || kind == "connection" && r["final"] != true {
			continue
		}
		delete(r, "type")
		if kind == "connection" {
			delete(r, "final")
		}
		list = append(list, r)
	}
	return list
}

// holdRows holds rows against records: what either has and the other has not is an error, but for
// the columns that rows have besides.
func holdRows(t *testing.T, kind string, records []map[string]any, rows []duckdb.Row) {
	t.Helper()
	if len(rows) != len(records) {
		t.Errorf("%ss: %d rows, %d records", kind, len(rows), len(records))
		return
	}
	for i, row := range rows {
		besidesOf(t, kind, row)
		if _, live := records[i]["final"]; kind == "finding" && !live {
			if row["final"] != true {
				t.Errorf("finding %d is not final", i)
			}
			delete(row, "final")
		}
		if difference := unlike(kind, records[i], map[string]any(row)); difference != "" {
			t.Errorf("%d: %s", i, difference)
			return
		}
	}
}

// besidesOf takes from a row what records do not have.
func besidesOf(t *testing.T, kind string, row duckdb.Row) {
	t.Helper()
	besides := []string{"capture", "host", "date"}
	if kind != "frame" && kind != "connection" {
		besides = append(besides, "client", "server")
	}
	if kind == "rpc" {
		besides = append(besides, "operation")
	}
	for _, name := range besides {
		if v, ok := row[name].(string); kind != "finding" && (!ok || v == "") {
			t.Errorf("a %s has no %s: %v", kind, name, row[name])
		}
		delete(row, name)
	}
}

// unlike says where a value in a row is another than in a record. What a record leaves out is null
// or an empty list in a row.
func unlike(at string, record, row any) string {
	switch r := record.(type) {
	case map[string]any:
		w, is := row.(map[string]any)
		if !is {
			return fmt.Sprintf("%s: record %v, row %v", at, record, row)
		}
		for _, name := range slices.Concat(keys(r), keys(w)) {
			if difference := unlike(at+"."+name, r[name], w[name]); difference != "" {
				return difference
			}
		}
		return ""
	case []any:
		w, is := row.([]any)
		if !is || len(w) != len(r) {
			return fmt.Sprintf("%s: record %v, row %v", at, record, row)
		}
		for i := range r {
			if difference := unlike(fmt.Sprintf("%s[%d]", at, i), r[i], w[i]); difference != "" {
				return difference
			}
		}
		return ""
	case nil:
		if list, is := row.([]any); row == nil || is && len(list) == 0 {
			return ""
		}
	case string:
		if strings.HasSuffix(at, "time") {
			row = rfc3339(row)
		}
		if row == r {
			return ""
		}
	default:
		if reflect.DeepEqual(record, row) {
			return ""
		}
	}
	return fmt.Sprintf("%s: record %v, row %v", at, record, row)
}

func keys(m map[string]any) (list []string) {
	for name := range m {
		list = append(list, name)
	}
	return list
}

// rfc3339 is a time of DuckDB as records have it: "2026-11-21 01:38:42.25424" has nine digits there.
func rfc3339(v any) string {
	s, _ := v.(string)
	whole, part, _ := strings.Cut(s, ".")
	return strings.Replace(whole, " ", "T", 1) + "." + (part + "000000000")[:9] + "Z"
}

// TestUnlikeCanFail shows that rows which are not as the records are seen.
func TestUnlikeCanFail(t *testing.T) {
	read := func(s string) (v any) {
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	for record, row := range map[string]string{
		`{"a":1}`: `{"a":2}`, `{"a":[1]}`: `{"a":[1,2]}`, `{"a":null}`: `{"a":"x"}`, `{}`: `{"a":0}`, `{"a":{"b":"x"}}`: `{"a":null}`,
		`{"time":"2026-11-21T01:38:42.254240001Z"}`: `{"time":"2026-11-21 01:38:42.25424"}`,
	} {
		if unlike("", read(record), read(row)) == "" {
			t.Errorf("%s is as %s", record, row)
		}
	}
	if d := unlike("", read(`{"time":"2026-11-21T01:38:42.254240000Z"}`), read(`{"time":"2026-11-21 01:38:42.25424","b":[],"c":null}`)); d != "" {
		t.Error(d)
	}
}

// TestParquetFiles holds where the files are, that the same captures replace them, and that there
// are none of captures that cannot be opened.
func TestParquetFiles(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		must(t, "export", "parquet", "-q", "-o", dir, "--host", "nfs7", "--datasets", "rpcs", sample("rxe-cb"))
	}
	files, err := filepath.Glob(filepath.Join(dir, "rpcs", "host=nfs7", "date=20[0-9][0-9]-[0-1][0-9]-[0-3][0-9]", "rxe-cb-*.parquet"))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	out := must(t, "export", "parquet", "-o", dir, "--host", "nfs8", "--datasets", "rpcs", sample("rxe-cb"))
	rows := len(recordsAsked(t, "rpc", "read", "-q", "--format", "ndjson", sample("rxe-cb")))
	if !strings.HasPrefix(out, dir+": rxe-cb-") || !strings.HasSuffix(out, fmt.Sprintf(": %d rpcs\n", rows)) {
		t.Errorf("it prints %q, of %d RPCs", out, rows)
	}
	if files, _ = filepath.Glob(filepath.Join(dir, "*", "*", "*", "*")); len(files) != 2 {
		t.Errorf("of two hosts there are %q", files)
	}
	for _, args := range [][]string{
		{"nonesuch", "-o", filepath.Join(dir, "new")},
		{sample("rxe-cb")},
		{sample("rxe-cb"), "-o", dir, "--host", "../x"},
		{sample("rxe-cb"), "-o", dir, "--datasets", "rpcs,none"},
		{sample("rxe-cb"), "-o", dir, "--datasets", ""},
		{sample("rxe-cb"), "-o", dir, "--datasets", ",rpcs"},
		{sample("rxe-cb"), "-o", dir, "--datasets", "rpcs,,frames"},
		{sample("rxe-cb"), "-o", dir, "--datasets", "rpcs,"},
		{sample("rxe-cb"), "-o", write(t, "file", nil)},
	} {
		r := rdmacap(append([]string{"export", "parquet"}, args...)...)
		if r.status != exitUnusable || r.out != "" || r.err == "" {
			t.Errorf("%q: status %d, %q, %q", args, r.status, r.out, r.err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("there is a folder of a capture that there is not")
	}
}

// TestLiveParquet holds that what live writes in several files is what it writes as JSON, findings
// twice, and RPCs as read has them.
func TestLiveParquet(t *testing.T) {
	dir := t.TempDir()
	from := sample("rxe-basic")
	must(t, "live", "-q", "-r", from, "--parquet", dir, "--parquet-roll", "100kB,10s", "--host", "nfs7")
	for _, dataset := range []string{"rpcs", "messages", "findings", "connections"} {
		files, err := filepath.Glob(filepath.Join(dir, dataset, "host=nfs7", "date=*", "rxe-basic-*-000[1-9].parquet"))
		if err != nil || len(files) < 3 {
			t.Errorf("of %s there are %q", dataset, files)
		}
	}
	answers := duckdb.Query(t, dir, "SELECT * FROM 'rpcs/*/*/*.parquet'", "SELECT * FROM 'findings/*/*/*.parquet'", "SELECT * FROM 'connections/*/*/*.parquet'")
	holdRows(t, "rpc", recordsAsked(t, "rpc", "read", "-q", "--format", "ndjson", from), answers[0])
	holdRows(t, "finding", recordsAsked(t, "finding", "live", "-q", "--format", "ndjson", "-r", from), answers[1])
	holdRows(t, "connection", recordsAsked(t, "connection", "live", "-q", "--format", "ndjson", "-r", from), answers[2])
}

// TestLiveParquetFlags holds which flags go with --parquet.
func TestLiveParquetFlags(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	for args, want := range map[string]string{
		"--host nfs7":                       "--host needs --parquet DIR",
		"--parquet-roll 1MB":                "--parquet-roll needs --parquet DIR",
		"--parquet DIR --brief":             "cannot be combined with --brief",
		"--parquet DIR --top":               "cannot be combined with --top",
		"--parquet DIR -Y rpc.reverse":      "cannot be combined with --filter",
		"--parquet DIR --parquet-roll 1,1s": "--parquet-roll: ",
		"--parquet DIR --parquet-roll 5":    "files are not deleted",
		"--parquet DIR --datasets rpc":      `unknown dataset "rpc"`,
		"--parquet DIR --host a/b":          "--host: ",
	} {
		r := rdmacap(append([]string{"live", "-r", sample("rxe-cb")}, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)...)
		if r.status != exitUnusable || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q", args, r.status, r.err)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
}

// TestParquetOfLong does the same of a capture of 623 MB: its RPCs, one by one.
func TestParquetOfLong(t *testing.T) {
	times := long.Pick(2, 200)
	whole := unpacked(t, "rxe-basic")
	path := filepath.Join(t.TempDir(), "long.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const header = 24
	if _, err := file.Write(whole[:header]); err != nil {
		t.Fatal(err)
	}
	for range times {
		if _, err := file.Write(whole[header:]); err != nil {
			t.Fatal(err)
		}
	}
	dir := parquetOf(t, "--datasets", "rpcs", path)
	records, err := os.Create(filepath.Join(dir, "records"))
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	if status := run(t.Context(), []string{"read", "-q", "--format", "ndjson", path}, streams{in: strings.NewReader(""), out: records, err: os.Stderr}); status != exitDone {
		t.Fatal(status)
	}
	rows := filepath.Join(dir, "rows")
	duckdb.Copy(t, dir, "SELECT * FROM 'rpcs/*/*/*.parquet'", rows)
	n := holdLines(t, filepath.Join(dir, "records"), rows)
	if n < 560*times {
		t.Errorf("%d RPCs were compared", n)
	}
}

// holdLines holds the rows of RPCs in a file against the records in another one, and returns how many there are.
func holdLines(t *testing.T, records, rows string) (n int) {
	t.Helper()
	open := func(name string) *json.Decoder {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		d := json.NewDecoder(file)
		d.UseNumber()
		return d
	}
	have, want := open(rows), open(records)
	for want.More() {
		var record map[string]any
		if err := want.Decode(&record); err != nil {
			t.Fatal(err)
		}
		if record["type"] != "rpc" {
			continue
		}
		delete(record, "type")
		var row duckdb.Row
		if err := have.Decode(&row); err != nil {
			t.Fatalf("row %d: %v", n, err)
		}
		besidesOf(t, "rpc", row)
		if difference := unlike("rpc", record, map[string]any(row)); difference != "" {
			t.Fatalf("%d: %s", n, difference)
		}
		n++
	}
	if have.More() {
		t.Errorf("there are more than %d rows", n)
	}
	return n
}
