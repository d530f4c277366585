// Package duckdb asks DuckDB for tests: what reads our files is to be another program than what
// wrote them. DuckDB comes from npm: npm ci in the folder of this package.
package duckdb

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A Row is what a statement says in one row, by the names of its columns. Numbers are json.Number,
// times text.
type Row map[string]any

// Query carries out statements in a folder and returns the rows of each. Without DuckDB it skips the
// test, or where RDMACAP_DUCKDB is set has it fail.
func Query(t testing.TB, dir string, statements ...string) (rows [][]Row) {
	t.Helper()
	for part := range strings.SplitSeq(strings.TrimSuffix(ask(t, dir, "", statements...), ";\n"), ";\n") {
		rows = append(rows, parse(t, part))
	}
	if len(rows) != len(statements) {
		t.Fatalf("DuckDB answered %d of %d statements", len(rows), len(statements))
	}
	return rows
}

// Copy is Query of one statement with more rows than fit in memory: they are in a file, a line each.
func Copy(t testing.TB, dir, statement, file string) {
	t.Helper()
	ask(t, dir, file, statement)
}

// ask returns what the script prints, but for rows that go to a file.
func ask(t testing.TB, dir, file string, statements ...string) string {
	t.Helper()
	here := folder()
	if _, err := os.Stat(filepath.Join(here, "node_modules")); err != nil {
		if os.Getenv("RDMACAP_DUCKDB") != "" {
			t.Fatal("there is no DuckDB: npm ci in internal/duckdb")
		}
		t.Skip("there is no DuckDB: npm ci in internal/duckdb")
	}
	sql := filepath.Join(t.TempDir(), "statements.sql")
	if err := os.WriteFile(sql, []byte(strings.Join(statements, "\n;\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{filepath.Join(here, "query.mjs"), sql}
	if file != "" {
		args = append(args, file)
	}
	node := exec.CommandContext(t.Context(), "node", args...)
	node.Dir = dir
	var failed bytes.Buffer
	node.Stderr = &failed
	out, err := node.Output()
	if err != nil {
		t.Fatalf("DuckDB: %v\n%s", err, &failed)
	}
	return string(out)
}

// parse reads rows, one after the other.
func parse(t testing.TB, text string) (list []Row) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		var r Row
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatalf("what DuckDB prints: %v", err)
		}
		list = append(list, r)
	}
}

// folder is that of this package.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}
