package filter

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the errors are now to testdata/errors.txt")

// TestErrors holds every error to testdata/errors.txt, which a person can read:
// an expression after "> ", then the lines of its error. With -update the file
// is written anew from the same expressions.
func TestErrors(t *testing.T) {
	const path = "testdata/errors.txt"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set := testSet(t)
	var b strings.Builder
	for _, part := range strings.Split("\n"+string(file), "\n> ")[1:] {
		expr, want, _ := strings.Cut(part, "\n")
		_, err := set.Compile(expr)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v, want an *Error", expr, err)
			continue
		}
		b.WriteString("\n> " + expr + "\n" + e.Error() + "\n")
		if got := e.Error(); got != strings.TrimSpace(want) && !*update {
			t.Errorf("%s:\n%s\nwant\n%s", expr, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.TrimPrefix(b.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryErrorIsInPlace cuts good expressions at every byte, puts a sign into
// each place, and wants of the errors that they point into the expression.
func TestEveryErrorIsInPlace(t *testing.T) {
	set := testSet(t)
	for _, expr := range seeds {
		for i := range len(expr) + 1 {
			for _, sign := range []string{"", "=", "(", ")", "{", "}", ",", "..", "\"", "!", "µ", "\x80", "\\", " not ", "."} {
				for _, cut := range []string{expr[:i] + sign, expr[:i] + sign + expr[i:]} {
					_, err := set.Compile(cut)
					checkError(t, cut, err)
				}
			}
		}
	}
}

// checkError holds what is true of every error of an expression.
func checkError(t *testing.T, expr string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: %T is not an *Error", expr, err)
	}
	if e.Expr != expr || e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > len(expr) || e.Reason == "" {
		t.Fatalf("%q: %+v", expr, e)
	}
	lines := strings.Split(e.Error(), "\n")
	if n := len(lines); n != 3 && (n != 4 || e.Hint == "") {
		t.Fatalf("%q: %d lines:\n%v", expr, n, e)
	}
	if lines[0] != e.Reason || !strings.HasPrefix(strings.TrimLeft(lines[2], " "), "^") {
		t.Fatalf("%q:\n%v", expr, e)
	}
}

func TestErrorOfALongExpression(t *testing.T) {
	long := strings.Repeat("rdma.xid == 1 or ", 20)
	for _, c := range []struct {
		name string
		err  Error
		want string
	}{
		{"in the middle", Error{Expr: long + "x\ty" + long, Offset: len(long), Length: 3, Reason: "r"},
			"r\n  … 1 or rdma.xid == 1 or rdma.xid == 1 or x yrdma.xid == 1 or rdma.xid == 1 or rdma.xid == 1 or rdma.x…\n" +
				"                                           ^~~"},
		{"at the end", Error{Expr: long, Offset: len(long), Reason: "r", Hint: "h"},
			"r\n  … 1 or rdma.xid == 1 or rdma.xid == 1 or \n                                           ^\nh"},
		{"longer than the line", Error{Expr: strings.Repeat("é", 300), Length: 600, Reason: "r"},
			"r\n  " + strings.Repeat("é", 100) + "…\n  ^" + strings.Repeat("~", 99)},
		{"not of the expression", Error{Expr: "é", Offset: 1, Length: 9, Reason: "r"}, "r\n  é\n   ^"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	set := testSet(t)
	for _, c := range []struct{ expr, want string }{
		{strings.Repeat("(", maxDepth) + "nfs.name" + strings.Repeat(")", maxDepth), ""},
		{strings.Repeat("(", maxDepth+1) + "nfs.name" + strings.Repeat(")", maxDepth+1), "nested deeper than 200"},
		{strings.Repeat("!", maxDepth+1) + "nfs.name", "nested deeper than 200"},
		{strings.Repeat("nfs.name and ", 4000) + "nfs.name", ""},
		{strings.Repeat(" ", maxExpr+1), "the expression has more than 65536 bytes"},
		{`nfs.name matches "` + strings.Repeat("(a{9}){9}", 111) + `"`, ""},
		{`nfs.name matches "` + strings.Repeat("(a{9}){9}", 112) + `"`, "a regular expression has at most 1000 bytes"},
		{`nfs.name matches "((a{99}){99}){99}"`, "not a regular expression"},
		{strings.Repeat("x", maxExpr), "is not a field"},
	} {
		_, err := set.Compile(c.expr)
		var e *Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%.20s: %v", c.expr, err)
		case c.want != "" && (!errors.As(err, &e) || !strings.Contains(e.Reason, c.want)):
			t.Errorf("%.20s: %v, want %s", c.expr, err, c.want)
		}
	}
}
