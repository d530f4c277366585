package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// slowest is how many of the slowest tests are listed.
const slowest = 10

// An event is a line of go test -json: see go doc test2json.
type event struct {
	Action  string
	Package string
	// ImportPath names what does not build.
	ImportPath string
	Test       string
	Elapsed    float64 // seconds
	Output     string
}

// A testName tells tests of the same name in several packages apart. Without a test it is
// the package.
type testName struct{ pkg, test string }

// A timing is how many seconds a test took.
type timing struct {
	testName
	seconds float64
}

// A testLog is what is remembered of a run: the output of what has not ended, and counts.
type testLog struct {
	output                  map[testName][]string
	passed, failed, skipped int
	times                   []timing
	reasons                 map[string]int
	failing                 map[string]bool // packages with a failed test
}

func newTestLog() *testLog {
	return &testLog{output: make(map[testName][]string), reasons: make(map[string]int), failing: make(map[string]bool)}
}

// read reads events to their end, and writes a line for each package and the output of what
// fails. A line that is no event is printed as it is: go writes those when it cannot start.
func (l *testLog) read(r io.Reader, w io.Writer) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			var e event
			if json.Unmarshal(text, &e) != nil || e.Action == "" {
				fmt.Fprintf(w, "%s\n", text)
			} else {
				l.addEvent(&e, w)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// addEvent counts an event.
func (l *testLog) addEvent(e *event, w io.Writer) {
	name := testName{e.Package, e.Test}
	switch e.Action {
	case "output":
		l.output[name] = append(l.output[name], e.Output)
		return
	case "build-output":
		fmt.Fprint(w, e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	output := l.output[name]
	delete(l.output, name)
	if e.Action == "fail" {
		fmt.Fprint(w, strings.Join(output, ""))
	}
	if e.Test == "" {
		l.endPackage(e, w)
		return
	}
	if strings.Contains(e.Test, "/") {
		if e.Action == "skip" {
			l.reasons[reason(output)]++
		}
		return // it is counted with the test that it is a part of
	}
	l.times = append(l.times, timing{name, e.Elapsed})
	switch e.Action {
	case "pass":
		l.passed++
	case "fail":
		l.failed++
		l.failing[e.Package] = true
	case "skip":
		l.skipped++
		l.reasons[reason(output)]++
	}
}

// endPackage prints the line of a package. One that fails without a failing test, as where it
// does not build or a test ends the process, is a failure of its own.
func (l *testLog) endPackage(e *event, w io.Writer) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(w, "ok    %8.1f s  %s\n", e.Elapsed, e.Package)
	case "fail":
		if !l.failing[e.Package] {
			l.failed++
		}
		fmt.Fprintf(w, "FAIL  %8.1f s  %s\n", e.Elapsed, e.Package)
		for _, name := range slices.Collect(maps.Keys(l.output)) {
			if name.pkg == e.Package { // it was running when the process ended
				fmt.Fprint(w, strings.Join(l.output[name], ""))
				delete(l.output, name)
			}
		}
	}
}

// reason is why a test was skipped: the last that it wrote before saying so, without the place.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===") {
			continue
		}
		if _, text, found := strings.Cut(line, ".go:"); found {
			if _, text, found = strings.Cut(text, ": "); found {
				return text
			}
		}
		return line
	}
	return "no reason was given"
}

// summarize writes the slowest tests, the skips by reason, and the counts.
func (l *testLog) summarize(w io.Writer) {
	slices.SortFunc(l.times, func(a, b timing) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintln(w, "\nthe slowest tests:")
	for _, t := range l.times[:min(slowest, len(l.times))] {
		fmt.Fprintf(w, "%8.1f s  %s in %s\n", t.seconds, t.test, t.pkg)
	}
	if len(l.reasons) > 0 {
		fmt.Fprintln(w, "\nskipped:")
		for _, why := range slices.SortedFunc(maps.Keys(l.reasons), func(a, b string) int {
			return cmp.Or(cmp.Compare(l.reasons[b], l.reasons[a]), cmp.Compare(a, b))
		}) {
			fmt.Fprintf(w, "%8d    %s\n", l.reasons[why], why)
		}
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped\n", l.passed, l.failed, l.skipped)
}
