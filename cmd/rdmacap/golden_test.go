package main

import (
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
var (
	readIn         = regexp.MustCompile(`read in [0-9.]+ [nµm]?s`)
	elapsedSeconds = regexp.MustCompile(`"elapsed_seconds":[0-9.]+`)
)

func timeless(s string) string {
	return elapsedSeconds.ReplaceAllString(readIn.ReplaceAllString(s, "read in TIME"), `"elapsed_seconds":0`)
}

// patterns are regular expressions that are looked for one after the other: of one that begins with
// literal text, only that text is searched for in megabytes, but not of alternatives.
type patterns []*regexp.Regexp

func (p patterns) removedFrom(s string) string {
	for _, re := range p {
		s = re.ReplaceAllString(s, "")
	}
	return s
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

// recordsOf keeps the records of frames with these numbers, and all that are not
// of frames.
func recordsOf(out string, numbers ...string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		const begin = `{"type":"frame","frame":`
		number, _, _ := strings.Cut(strings.TrimPrefix(line, begin), ",")
		if !strings.HasPrefix(line, begin) || slices.Contains(numbers, number) {
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

// front is a little-endian pcap file with only its first n frames.
func front(file []byte, n int) []byte {
	at := 24
	for range n {
		at += 16 + int(binary.LittleEndian.Uint32(file[at+8:]))
	}
	return file[:at]
}

// TestGoldens holds what a person sees. The names are the commands.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		rows []string // only these, with what is under them
		ends int      // so many lines of the beginning and of the end
		read int      // so many frames of the capture, if not all
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
		{name: "read-level-frame-details-rxe-loss.txt", args: []string{"--level", "frame", "-V", "rxe-loss"}, rows: []string{"157", "304"}},
		{name: "read-level-frame-details-siw-loss.txt", args: []string{"--level", "frame", "-V", "siw-loss"}, rows: []string{"88", "89"}},
		{name: "read-color-always-rxe-cb.txt", args: []string{"--color", "always", "rxe-cb"}, ends: 10},
		{name: "read-format-ndjson-rxe-cb.txt", args: []string{"--format", "ndjson", "rxe-cb"}, ends: 6},
		{name: "read-format-ndjson-level-frame-rxe-cb.txt", args: []string{"--format", "ndjson", "--level", "frame", "rxe-cb"}, ends: 50},
		{name: "read-siw-basic.txt", args: []string{"siw-basic"}, ends: 60},
		{name: "read-siw-perftest.txt", args: []string{"siw-perftest"}},
		{name: "read-level-message-siw-basic.txt", args: []string{"--level", "message", "siw-basic"}, ends: 30},
		{name: "read-level-frame-siw-basic.txt", args: []string{"--level", "frame", "siw-basic"}, ends: 120},
		// 84 is an MPA Reply, 87 a Send, 108 an RDMA Write, 110 a retransmission;
		// an FPDU begins in 1200 and ends in 1202.
		{name: "read-level-frame-details-siw-basic.txt", args: []string{"--level", "frame", "-V", "siw-basic"}, rows: []string{"84", "87", "108", "110", "1200", "1202"}, read: 1202},
		{name: "read-level-frame-hex-siw-basic.txt", args: []string{"--level", "frame", "-x", "siw-basic"}, rows: []string{"84", "87", "1200", "1202"}, read: 1202},
		// 51 to 59: MPA Request and Reply, Send, Read Request and Response, Terminate.
		{name: "read-level-frame-siw-perftest.txt", args: []string{"--level", "frame", "siw-perftest"}, ends: 80},
		{name: "read-level-frame-details-siw-perftest.txt", args: []string{"--level", "frame", "-V", "siw-perftest"}, rows: []string{"57", "59"}},
		{name: "read-level-frame-hex-siw-perftest.txt", args: []string{"--level", "frame", "-x", "siw-perftest"}, rows: []string{"51", "57", "59"}},
		{name: "read-format-ndjson-level-frame-siw-perftest.txt", args: []string{"--format", "ndjson", "--level", "frame", "siw-perftest"}, rows: []string{"50", "51", "53", "55", "57", "58", "59", "60"}},
		{name: "read-format-ndjson-level-frame-siw-basic.txt", args: []string{"--format", "ndjson", "--level", "frame", "siw-basic"}, rows: []string{"82", "84", "85", "87", "108", "110", "1200", "1202"}, read: 1202},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := len(c.args) - 1
			args := append([]string{"read"}, c.args[:last]...)
			path := sample(c.args[last])
			if c.read > 0 {
				path = write(t, "front.pcap", front(unpacked(t, c.args[last]), c.read))
			}
			out := timeless(must(t, append(args, path)...))
			switch {
			case c.rows != nil && slices.Contains(args, "ndjson"):
				out = recordsOf(out, c.rows...)
			case c.rows != nil:
				out = about(out, c.rows...)
			}
			if c.ends > 0 {
				out = ends(out, c.ends)
			}
			golden(t, c.name, out)
		})
	}
}
