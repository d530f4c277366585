package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/duckdb"
)

// recipe is a query of docs/fleet.md that DuckDB is to carry out.
var recipe = regexp.MustCompile("(?s)\n```sql duckdb\n(.*?)\n```\n")

// TestFleetQueries carries out the queries of docs/fleet.md on datasets of several captures, in one
// folder, and holds what they say against the records of the captures.
func TestFleetQueries(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	var queries []string
	for _, found := range recipe.FindAllStringSubmatch(string(text), -1) {
		queries = append(queries, found[1])
	}
	if len(queries) < 4 {
		t.Fatalf("docs/fleet.md has %d queries", len(queries))
	}
	dir := t.TempDir()
	names := []string{"rxe-basic", "rxe-loss", "siw-basic"}
	slowest, slow := int64(0), ""
	servers := make(map[string]bool)
	for _, name := range names {
		must(t, "export", "parquet", "-q", "--host", "of-"+name, "-o", filepath.Join(dir, "fleet"), sample(name))
		for _, r := range recordsAsked(t, "rpc", "read", "-q", "--format", "ndjson", sample(name)) {
			if ns, is := int64Of(r["latency_ns"]); is && ns > slowest {
				slowest, slow = ns, r["xid"].(string)
			}
		}
		for _, r := range recordsAsked(t, "connection", "read", "-q", "--format", "ndjson", sample(name)) {
			servers[r["server"].(string)] = true
		}
	}
	inventory := "address,adapter,firmware\n"
	for address := range servers {
		inventory += address + ",Soft-RoCE,6.1\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "inventory.csv"), []byte(inventory), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := duckdb.Query(t, dir, queries...)
	for i, rows := range answers {
		if len(rows) == 0 {
			t.Errorf("this says nothing: %s", queries[i])
		}
	}
	last := answers[len(answers)-1]
	if len(last) != 5 || last[0]["xid"] != slow || !strings.HasPrefix(last[0]["host"].(string), "of-") {
		t.Errorf("the slowest RPC, of %d ns, is %s, and not as in %v", slowest, slow, last)
	}
	var found int64
	for _, row := range answers[2] {
		n, _ := int64Of(row["times"])
		found += n
	}
	want := int64(0)
	for _, name := range names {
		for _, r := range recordsAsked(t, "finding", "check", "--fail-on", "never", "-q", "--format", "ndjson", sample(name)) {
			if n, _ := int64Of(r["count"]); r["connection"] != nil {
				want += n
			}
		}
	}
	if found != want || want == 0 {
		t.Errorf("findings were found %d times, and %d times of servers with a firmware", want, found)
	}
}

// int64Of is a number of JSON that is whole.
func int64Of(v any) (n int64, is bool) {
	x, is := v.(interface{ Int64() (int64, error) })
	if !is {
		return 0, false
	}
	n, err := x.Int64()
	return n, err == nil
}
