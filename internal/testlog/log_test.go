package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestLog holds what is printed of a run with each kind of end.
func TestLog(t *testing.T) {
	events := strings.Join([]string{
		`no Go files in here`,
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}`,
		`{"Action":"output","Package":"p","Test":"TestA","Output":"never shown\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA","Elapsed":2.5}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:12: too short\n"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"--- FAIL: TestB (1.00s)\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestB","Elapsed":1}`,
		`{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:3: no tool: tshark\n"}`,
		`{"Action":"output","Package":"p","Test":"TestC","Output":"--- SKIP: TestC (0.00s)\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestC","Elapsed":0}`,
		`{"Action":"output","Package":"p","Test":"TestA/part","Output":"    c_test.go:9: no tool: tshark\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestA/part","Elapsed":0}`,
		`{"Action":"fail","Package":"p","Elapsed":3.5}`,
		`{"Action":"output","Package":"q","Test":"TestD","Output":"panic: of another goroutine\n"}`,
		`{"Action":"fail","Package":"q","Elapsed":0.1}`,
		`{"ImportPath":"r","Action":"build-output","Output":"r.go:1:1: expected 'package'\n"}`,
		`{"ImportPath":"r","Action":"build-fail"}`,
		`{"Action":"fail","Package":"r","Elapsed":0}`,
	}, "\n")
	want := `no Go files in here
    b_test.go:12: too short
--- FAIL: TestB (1.00s)
FAIL       3.5 s  p
FAIL       0.1 s  q
panic: of another goroutine
r.go:1:1: expected 'package'
FAIL       0.0 s  r

the slowest tests:
     2.5 s  TestA in p
     1.0 s  TestB in p
     0.0 s  TestC in p

skipped:
       2    no tool: tshark

1 passed, 3 failed, 1 skipped
`
	l := newTestLog()
	var out bytes.Buffer
	if err := l.read(strings.NewReader(events), &out); err != nil {
		t.Fatal(err)
	}
	l.summarize(&out)
	if out.String() != want {
		t.Errorf("printed:\n%s\nwant:\n%s", out.String(), want)
	}
}
