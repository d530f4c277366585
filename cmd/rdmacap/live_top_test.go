package main

import (
	"errors"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

func TestTopMisuse(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"live --top -r x --format ndjson", "--top and --format cannot be combined"},
		{"live --top -r x --brief", "--top and --brief cannot be combined"},
		{"live --top -r x --level frame", "--top and --level cannot be combined"},
	} {
		r := rdmacap(strings.Fields(c.args)...)
		if want := "rdmacap: " + c.want + " (see 'rdmacap live --help')\n"; r.status != exitUnusable || r.out != "" || r.err != want {
			t.Errorf("rdmacap %s: %+v", c.args, r)
		}
	}
	r := rdmacap("live", "--top", "-r", "nonesuch")
	if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: nonesuch: cannot be opened: no such file or directory\n" {
		t.Errorf("%+v", r)
	}
}

// TestTopWithoutTerminal holds that there are lines, then the summary of live.
func TestTopWithoutTerminal(t *testing.T) {
	out := must(t, "live", "--top", "-r", sample("rxe-cb"))
	plain := must(t, "live", "--brief", "-r", sample("rxe-cb"))
	tookAnother := regexp.MustCompile(`read in [0-9.]+ [µm]?s`)
	line, summary, _ := strings.Cut(out, "\n")
	for strings.HasPrefix(summary, line[:2]) { // where it took longer than a second
		line, summary, _ = strings.Cut(summary, "\n")
	}
	form := regexp.MustCompile(`^\d\d:\d\d:\d\d  0 connections, 2 ended  calls/s \S+  MB/s to server \S+ to client \S+  p50 \S+ p99 \S+ max \S+` +
		`  retransmitted 1  lost 0  missing 0  dropped 0  findings 1W 4N$`)
	if !form.MatchString(line) {
		t.Errorf("%q", line)
	}
	if want := tookAnother.ReplaceAllString(plain, ""); summary == "" || !strings.HasSuffix(want, tookAnother.ReplaceAllString(summary, "")) {
		t.Errorf("the summary is\n%swant that of\n%s", summary, plain)
	}
}

// unread is a pipe that nobody reads any more.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestTopUnread holds how it ends when its lines cannot be written.
func TestTopUnread(t *testing.T) {
	var diag strings.Builder
	if status := run(t.Context(), []string{"live", "--top", "-r", sample("rxe-cb")}, streams{out: unread{}, err: &diag}); status != exitDone || diag.String() != "" {
		t.Errorf("status %d, %q", status, diag.String())
	}
	if status := run(t.Context(), []string{"live", "--top", "-r", sample("rxe-cb")}, streams{out: full{}, err: &diag}); status != exitUnusable || diag.String() != "rdmacap: standard output: no space left on device\n" {
		t.Errorf("status %d, %q", status, diag.String())
	}
}
