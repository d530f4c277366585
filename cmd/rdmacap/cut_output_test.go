package main

import (
	"os"
	"strings"
	"testing"
)

// TestCutRefused holds what is reported where nothing can be cut, and that no file is written then.
func TestCutRefused(t *testing.T) {
	t.Parallel()
	in, out := sample("rxe-cb"), cutFile(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{in, "-o", out}, "cut needs a selection: -Y EXPR, --connection N, --since or --until"},
		{[]string{"--connection", "1", "-o", out}, "cut needs a capture file (see"},
		{[]string{in, "--connection", "1"}, "cut needs -o OUT.pcapng, a file to write"},
		{[]string{"-", "--connection", "1", "-o", out}, "cut reads the capture several times, so it cannot be a pipe"},
		{[]string{in, "--connection", "1", "--snap", "data", "-o", out}, `--snap: unknown value "data": use headers`},
		{[]string{in, "--connection", "9", "-o", out}, "nothing was selected, so nothing is written: there is no such connection"},
		{[]string{in, "-Y", "rpc.xid == 1", "-o", out}, "nothing was selected, so nothing is written: no RPC matches"},
		{[]string{in, "--since", "2030-01-01T00:00:00Z", "-o", out}, "nothing was selected, so nothing is written: no RPC was in progress then"},
		{[]string{in, "-Y", "nonsense", "-o", out}, "--filter: "},
		{[]string{in, "--connection", "1", "-o", in}, "is one of the captures"},
	} {
		r := rdmacap(append([]string{"cut"}, c.args...)...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, c.want) {
			t.Errorf("cut %q: status %d, %q, want %q", c.args, r.status, r.err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("cut %q wrote a file", c.args)
		}
	}
}

// TestCutOutput holds that a file is replaced only if that is asked for, that standard output has
// the same, and that the comment on the file says what it is.
func TestCutOutput(t *testing.T) {
	t.Parallel()
	out := cutFile(t)
	args := []string{"cut", "-q", sample("rxe-cb"), "-Y", "rpc.latency > 1ms", "--until", "60", "-o"}
	must(t, append(args, out)...)
	first, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if r := rdmacap(append(args, out)...); r.status != exitUnusable || !strings.Contains(r.err, "--force replaces it") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	must(t, append(args, out, "--force")...)
	if got := must(t, append(args, "-")...); got != string(first) {
		t.Errorf("standard output has %d bytes, the file %d", len(got), len(first))
	}
	for _, want := range []string{"cut by rdmacap ", "selected by -Y 'rpc.latency > 1ms' --until 60, from 585 frames"} {
		if !strings.Contains(string(first), want) {
			t.Errorf("the file does not say %q:\n%q", want, first[:300])
		}
	}
}
