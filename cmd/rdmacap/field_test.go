package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFieldFaults holds what is reported of faults that were reported in public, rebuilt as small captures. Beside
// each, samples/field/NAME.txt has commands, and what must and what must not be in a line of their output.
func TestFieldFaults(t *testing.T) {
	captures, err := filepath.Glob("../../samples/field/*.pcap.zst")
	if err != nil || len(captures) == 0 {
		t.Fatal("no captures", err)
	}
	for _, capture := range captures {
		name := strings.TrimSuffix(filepath.Base(capture), ".pcap.zst")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, e := range expectations(t, strings.TrimSuffix(capture, ".pcap.zst")+".txt") {
				r := rdmacap(append(e.args, capture)...)
				if r.status != exitDone && r.status != exitFindings {
					t.Errorf("rdmacap %s: exit status %d, %s", strings.Join(e.args, " "), r.status, r.err)
				}
				for _, must := range e.must {
					if !must.MatchString(r.out) {
						t.Errorf("rdmacap %s: no line matches %s in\n%s", strings.Join(e.args, " "), must, r.out)
					}
				}
				for _, never := range e.never {
					if line := never.FindString(r.out); line != "" {
						t.Errorf("rdmacap %s: %q matches %s, which must not be said", strings.Join(e.args, " "), line, never)
					}
				}
			}
		})
	}
}

// An expectation is what a line of a command's output must match, and what none may.
type expectation struct {
	args        []string
	must, never []*regexp.Regexp
}

// expectations reads a file whose lines begin with "$ " before a command, "+ " and "- " before regular expressions
// that a line of its output must and must not match, and "# " before what is on the wire.
func expectations(t *testing.T, path string) (all []*expectation) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		kind, text, _ := strings.Cut(lines.Text(), " ")
		switch {
		case kind == "#" || lines.Text() == "":
		case kind == "$":
			all = append(all, &expectation{args: strings.Fields(text)})
		case len(all) > 0 && (kind == "+" || kind == "-") && text != "":
			line, err := regexp.Compile("(?m)" + text)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, number, err)
			}
			e := all[len(all)-1]
			if kind == "+" {
				e.must = append(e.must, line)
			} else {
				e.never = append(e.never, line)
			}
		default:
			t.Fatalf("%s:%d: what is %q?", path, number, lines.Text())
		}
	}
	if lines.Err() != nil || len(all) == 0 {
		t.Fatalf("%s: %d commands, %v", path, len(all), lines.Err())
	}
	return all
}
