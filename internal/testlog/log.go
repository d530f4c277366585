package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// An event is what go test tells (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// A name is that of a test, or of a package where there is no test.
type name struct{ pkg, test string }

// A record is a test or a package, and what it said.
type record struct {
	name
	output  strings.Builder
	seconds float64
	failed  int // tests of a package
}

// A log is what has been read.
type log struct {
	to       *bufio.Writer
	running  map[name]*record   // tests
	packages map[string]*record // those that run

	over, tests, skipped []*record
	// Tests with their subtests, and packages that failed without any of them.
	passed, failed int
}

// line takes one line: an event, or what go itself says.
func (l *log) line(line []byte) {
	var e event
	if line = bytes.TrimRight(line, "\n"); !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &e) != nil {
		fmt.Fprintf(l.to, "%s\n", line)
		return
	}
	switch {
	case e.Action == "build-output":
		l.to.WriteString(e.Output)
	case e.Package == "":
	case e.Test == "":
		l.pkg(&e)
	default:
		l.test(&e)
	}
}

func (l *log) test(e *event) {
	key := name{e.Package, e.Test}
	r := l.running[key]
	if r == nil {
		r = &record{name: key}
		l.running[key] = r
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			r.output.WriteString(e.Output)
		}
		return
	case "pass":
		l.passed++
	case "fail":
		l.fail(r)
	case "skip":
		l.skipped = append(l.skipped, r)
	default:
		return
	}
	delete(l.running, key)
	// A test's time has none of what its subtests take that run beside each other.
	if r.seconds = e.Elapsed; strings.Count(e.Test, "/") <= 1 {
		l.tests = append(l.tests, r)
	}
}

// fail prints what a test has said that failed.
func (l *log) fail(r *record) {
	l.failed++
	l.packageOf(r.pkg).failed++
	l.to.WriteString(r.output.String())
}

func (l *log) packageOf(path string) *record {
	if l.packages[path] == nil {
		l.packages[path] = &record{name: name{pkg: path}}
	}
	return l.packages[path]
}

func (l *log) pkg(e *event) {
	r := l.packageOf(e.Package)
	switch e.Action {
	case "output":
		if e.Output != "PASS\n" {
			r.output.WriteString(e.Output)
		}
	case "pass", "skip":
		l.done(r, e.Elapsed)
	case "fail":
		l.broken(r)
		l.done(r, e.Elapsed)
	}
}

// broken is of a package that failed: so did its tests that have no end, as when the time
// is up. Where no test has failed, the package itself has.
func (l *log) broken(r *record) {
	tests := slices.SortedFunc(maps.Keys(l.running), func(a, b name) int { return cmp.Compare(a.test, b.test) })
	for _, t := range tests {
		if t.pkg == r.pkg {
			l.fail(l.running[t])
			delete(l.running, t)
		}
	}
	if r.failed == 0 {
		l.failed++
	}
}

func (l *log) done(r *record, seconds float64) {
	r.seconds = seconds
	delete(l.packages, r.pkg)
	l.over = append(l.over, r)
	l.to.WriteString(r.output.String())
	l.to.Flush() // one sees how far it is
}

// end prints what can only be said of all.
func (l *log) end() {
	for _, path := range slices.Sorted(maps.Keys(l.packages)) {
		r := l.packages[path]
		fmt.Fprintf(l.to, "%s has not come to its end\n", path)
		l.broken(r)
		l.done(r, 0)
	}
	l.slowest("packages", l.over, 10)
	l.slowest("tests", l.tests, 15)
	if len(l.skipped) > 0 {
		fmt.Fprintf(l.to, "\nskipped:\n")
	}
	for _, r := range l.skipped {
		fmt.Fprintf(l.to, "%s", r.output.String())
	}
	fmt.Fprintf(l.to, "\n%d passed, %d failed\n", l.passed, l.failed)
}

// slowest prints those that took longest.
func (l *log) slowest(what string, list []*record, most int) {
	slices.SortStableFunc(list, func(a, b *record) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(l.to, "\nslowest %s:\n", what)
	for _, r := range list[:min(len(list), most)] {
		fmt.Fprintf(l.to, "%8.2f s  %s\n", r.seconds, strings.TrimSpace(r.pkg+" "+r.test))
	}
}
