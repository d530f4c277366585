package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew from what the program prints")

// golden compares output with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s, line %d:\n got %q\nwant %q", path, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s has %d lines, got %d", path, len(w), len(g))
}

// elapsed is what differs from run to run.
var elapsed = regexp.MustCompile(`read in [0-9.]+ [nµm]?s|"elapsed_seconds":[0-9.]+`)

func timeless(s string) string {
	return elapsed.ReplaceAllStringFunc(s, func(m string) string {
		if strings.HasPrefix(m, "read") {
			return "read in TIME"
		}
		return `"elapsed_seconds":0`
	})
}

// about keeps the rows that begin with one of these numbers and what is under
// them, and the headings.
func about(out string, numbers ...string) string {
	var kept strings.Builder
	keep := true
	for line := range strings.Lines(out) {
		if first := strings.Fields(line); len(first) > 0 && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "    ") ||
			len(first) > 0 && strings.TrimLeft(first[0], "0123456789") == "" && !strings.HasPrefix(line, "      0") {
			keep = first[0] == "Frame" || first[0] == "No."
			for _, n := range numbers {
				keep = keep || first[0] == n
			}
		}
		if keep {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// ends keeps n lines of the beginning and n of the end.
func ends(out string, n int) string {
	lines := strings.SplitAfter(out, "\n")
	if len(lines) <= 2*n {
		return out
	}
	return strings.Join(lines[:n], "") + "...\n" + strings.Join(lines[len(lines)-n:], "")
}

// TestGoldens holds what a person sees. The names are the commands.
func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		rows []string // only these, with what is under them
		ends int      // so many lines of the beginning and of the end
	}{
		{name: "read-rxe-cb.txt", args: []string{"rxe-cb"}},
		{name: "read-rxe-krb.txt", args: []string{"rxe-krb"}},
		{name: "read-rxe-perftest.txt", args: []string{"rxe-perftest"}},
		{name: "read-level-message-rxe-cb.txt", args: []string{"--level", "message", "rxe-cb"}, ends: 60},
		{name: "read-level-frame-rxe-cb.txt", args: []string{"--level", "frame", "rxe-cb"}, ends: 80},
		{name: "read-details-rxe-basic.txt", args: []string{"-V", "rxe-basic"}, rows: []string{"1", "9", "28"}},
		{name: "read-hex-rxe-basic.txt", args: []string{"-x", "rxe-basic"}, rows: []string{"9"}},
		{name: "read-level-frame-hex-rxe-cb.txt", args: []string{"--level", "frame", "-x", "rxe-cb"}, rows: []string{"40", "43", "47", "49", "50"}},
		{name: "read-level-frame-details-rxe-cb.txt", args: []string{"--level", "frame", "-V", "rxe-cb"}, rows: []string{"41", "44", "50"}},
		{name: "read-color-always-rxe-cb.txt", args: []string{"--color", "always", "rxe-cb"}, ends: 10},
		{name: "read-format-ndjson-rxe-cb.txt", args: []string{"--format", "ndjson", "rxe-cb"}, ends: 6},
		{name: "read-format-ndjson-level-frame-rxe-cb.txt", args: []string{"--format", "ndjson", "--level", "frame", "rxe-cb"}, ends: 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := len(c.args) - 1
			args := append([]string{"read"}, c.args[:last]...)
			out := timeless(must(t, append(args, sample(c.args[last]))...))
			if c.rows != nil {
				out = about(out, c.rows...)
			}
			if c.ends > 0 {
				out = ends(out, c.ends)
			}
			golden(t, c.name, out)
		})
	}
}
