package main

import (
	"strings"
	"testing"
)

// said are events as go test -json writes them: a package that passes, one with a test that
// fails, one that cannot be built, one whose time is up, and one of which the rest is missing.
const said = `{"Action":"start","Package":"m/good"}
{"Action":"run","Package":"m/good","Test":"TestA"}
{"Action":"output","Package":"m/good","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"m/good","Test":"TestA","Output":"    a_test.go:1: of no interest\n"}
{"Action":"pass","Package":"m/good","Test":"TestA/long","Elapsed":7.5}
{"Action":"pass","Package":"m/good","Test":"TestA/long/part","Elapsed":7}
{"Action":"pass","Package":"m/good","Test":"TestA","Elapsed":0.25}
{"Action":"output","Package":"m/good","Test":"TestB","Output":"    b_test.go:1: no such tool\n"}
{"Action":"output","Package":"m/good","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"m/good","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"m/good","Output":"PASS\n"}
{"Action":"output","Package":"m/good","Output":"ok  \tm/good\t8.000s\n"}
{"Action":"pass","Package":"m/good","Elapsed":8}
{"Action":"output","Package":"m/bad","Test":"TestC","Output":"--- FAIL: TestC (1.00s)\n"}
{"Action":"output","Package":"m/bad","Test":"TestC","Output":"    c_test.go:1: got 1, want 2\n"}
{"Action":"fail","Package":"m/bad","Test":"TestC","Elapsed":1}
{"Action":"output","Package":"m/bad","Output":"FAIL\tm/bad\t1.000s\n"}
{"Action":"fail","Package":"m/bad","Elapsed":1}
{"ImportPath":"m/worse [m/worse.test]","Action":"build-output","Output":"worse_test.go:1: undefined: x\n"}
{"ImportPath":"m/worse [m/worse.test]","Action":"build-fail"}
{"Action":"output","Package":"m/worse","Output":"FAIL\tm/worse [build failed]\n"}
{"Action":"fail","Package":"m/worse","Elapsed":0,"FailedBuild":"m/worse [m/worse.test]"}
{"Action":"run","Package":"m/slow","Test":"TestD"}
{"Action":"output","Package":"m/slow","Test":"TestD","Output":"panic: test timed out after 10m0s\n"}
{"Action":"output","Package":"m/slow","Output":"FAIL\tm/slow\t600.000s\n"}
{"Action":"fail","Package":"m/slow","Elapsed":600}
{"Action":"run","Package":"m/cut","Test":"TestE"}
{"Action":"output","Package":"m/cut","Test":"TestE","Output":"    e_test.go:1: the last words\n"}
{"Action":"output","Package":"m/cut","Output":"some words\n"}
go: words of its own
`

const want = `ok  	m/good	8.000s
--- FAIL: TestC (1.00s)
    c_test.go:1: got 1, want 2
FAIL	m/bad	1.000s
worse_test.go:1: undefined: x
FAIL	m/worse [build failed]
panic: test timed out after 10m0s
FAIL	m/slow	600.000s
go: words of its own
m/cut has not come to its end
    e_test.go:1: the last words
some words

slowest packages:
  600.00 s  m/slow
    8.00 s  m/good
    1.00 s  m/bad
    0.00 s  m/worse
    0.00 s  m/cut

slowest tests:
    7.50 s  m/good TestA/long
    1.00 s  m/bad TestC
    0.25 s  m/good TestA
    0.00 s  m/good TestB

skipped:
    b_test.go:1: no such tool
--- SKIP: TestB (0.00s)

3 passed, 4 failed
`

func TestReport(t *testing.T) {
	var out strings.Builder
	failed, err := report(strings.NewReader(said), &out)
	if err != nil || !failed {
		t.Errorf("failed is %v, error %v", failed, err)
	}
	if out.String() != want {
		t.Errorf("printed:\n%s\nwant:\n%s", out.String(), want)
	}
}

func TestAllPass(t *testing.T) {
	var out strings.Builder
	first, _, _ := strings.Cut(said, `{"Action":"output","Package":"m/bad"`)
	if failed, err := report(strings.NewReader(first), &out); failed || err != nil || !strings.HasSuffix(out.String(), "\n3 passed, 0 failed\n") {
		t.Errorf("failed is %v, error %v:\n%s", failed, err, out.String())
	}
}
