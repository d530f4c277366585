//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// kept are the files that match a pattern in a folder, and below if it has slashes.
func keptFiles(t *testing.T, dir, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// untilKept waits until there is a file that matches a pattern in a folder.
func untilKept(t *testing.T, dir, pattern string) {
	t.Helper()
	for range 12_000 {
		if len(keptFiles(t, dir, pattern)) > 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("there is no %s", pattern)
}

// liveInto runs `live` on a capture and has it write into a folder.
func liveInto(dir string, args ...string) (result, string) {
	var out, diag watched
	status := run(context.Background(), append([]string{"live", "--write", dir}, args...), streams{out: &out, err: &diag})
	return result{out.String(), diag.String(), status}, diag.String()
}

// TestLiveWrites: the file that `live --write` writes holds what the capture does, for every
// command, and nothing else changes by it.
func TestLiveWrites(t *testing.T) {
	for _, name := range few() {
		dir := t.TempDir()
		got, _ := liveInto(dir, "-r", sample(name), "--format", "ndjson", "-q")
		want := rdmacap("live", "-r", sample(name), "--format", "ndjson", "-q")
		if tookTime.removedFrom(got.out) != tookTime.removedFrom(want.out) || got.status != want.status || got.err != "" {
			t.Errorf("%s: with --write: status %d, %q\n%s", name, got.status, got.err, differing(got.out, want.out))
		}
		files := keptFiles(t, dir, "*")
		if len(files) != 1 || !strings.HasPrefix(filepath.Base(files[0]), "rdmacap-000001-") || !strings.HasSuffix(files[0], "Z.pcapng") {
			t.Fatalf("%s: %q", name, files)
		}
		for _, args := range [][]string{{"check", "--format", "ndjson"}, {"read", "--level", "frame", "--format", "ndjson"}} {
			a, b := rdmacap(append(args, files[0])...), rdmacap(append(args, sample(name))...)
			if x, y := tookTime.removedFrom(a.out), tookTime.removedFrom(b.out); x != y || a.status != b.status || a.err != "" {
				t.Errorf("%s: %q: status %d, %q\n%s", name, args, a.status, a.err, differing(x, y))
			}
		}
	}
}

// TestLiveEvidence: what was around a finding is kept, annotated and explained, and `check`
// finds the same in it.
func TestLiveEvidence(t *testing.T) {
	for _, name := range []string{"version2-roce", "version2-iwarp"} {
		dir := t.TempDir()
		got, diag := liveInto(dir, "-r", sample(name), "--brief", "--ring", "none", "--on-finding", "--around", "1h,1h")
		if got.status != exitDone || !strings.Contains(diag, ": evidence of ") {
			t.Fatalf("%s: %+v", name, got)
		}
		if list := keptFiles(t, dir, "*"); len(list) != 1 || !strings.Contains(list[0], "finding-") {
			t.Fatalf("%s: %q", name, list)
		}
		captures, pages := keptFiles(t, dir, "*/*.pcapng"), keptFiles(t, dir, "*/*.html")
		if len(captures) != 1 || len(pages) != 1 || len(keptFiles(t, dir, "*/*")) != 2 {
			t.Fatalf("%s: %q", name, keptFiles(t, dir, "*/*"))
		}
		was, is := rdmacap("check", "--format", "ndjson", sample(name)), rdmacap("check", "--format", "ndjson", captures[0])
		if a, b := tookTime.removedFrom(is.out), tookTime.removedFrom(was.out); a != b || is.status != exitFindings {
			t.Errorf("%s: status %d\n%s", name, is.status, differing(a, b))
		}
		comments := 0
		f, err := capture.Open(captures[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		for {
			var x capture.Frame
			if err := f.Next(&x); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			for _, c := range x.Comments() {
				comments++
				if strings.Contains(c, "found by rdmacap live") {
					t.Errorf("%s: frame %d: said twice: %q", name, x.Number, x.Comments())
				}
			}
		}
		f.Close()
		if n := strings.Count(was.out, `{"type":"finding"`); comments != n {
			t.Errorf("%s: %d comments on frames, want %d", name, comments, n)
		}
		data, err := os.ReadFile(captures[0])
		if err != nil || !strings.Contains(string(data[:2000]), "rdmacap live kept these frames because of:\n") ||
			!strings.Contains(string(data[:4000]), "note: capturing ended ") {
			t.Errorf("%s: the comment on the file: %v", name, err)
		}
		page, err := os.ReadFile(pages[0])
		rule := strings.Split(filepath.Base(pages[0]), "Z-")[1][:6]
		if err != nil || !strings.Contains(string(page), ", kept by rdmacap live</title>") || !strings.Contains(string(page), "capturing ended") ||
			!strings.Contains(string(page), rule) {
			t.Errorf("%s: a page of %d bytes, %v", name, len(page), err)
		}
		if tshark, err := exec.LookPath("tshark"); err != nil {
			t.Log("tshark is not installed: nothing is compared with it")
		} else if out, err := exec.Command(tshark, "-r", captures[0], "-Y", "frame.comment", "-T", "fields", "-e", "frame.comment").Output(); err != nil ||
			!strings.Contains(string(out), rule) {
			t.Errorf("%s: tshark: %v\n%s", name, err, out)
		}
	}
}

// TestLiveMakesFolder holds that the folder of --write is made if only that is missing.
func TestLiveMakesFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ring")
	if got, _ := liveInto(dir, "-r", sample("rxe-cb"), "-q"); got.status != exitDone || got.err != "" {
		t.Errorf("status %d, %q", got.status, got.err)
	}
	if files := keptFiles(t, dir, "*.pcapng"); len(files) != 1 {
		t.Errorf("it has %q", files)
	}
}

func TestLiveKeepMisuse(t *testing.T) {
	dir := t.TempDir()
	file := write(t, "file", nil)
	for _, c := range []struct{ args, want string }{
		{"--on-finding", "--on-finding needs --write DIR, a directory to write to (see 'rdmacap live --help')"},
		{"--ring 1MB", "--ring needs --write DIR, a directory to write to (see 'rdmacap live --help')"},
		{"--write " + dir + " --ring 1", "--ring: the number of files must be from 2 to 100000, not 1 (see 'rdmacap live --help')"},
		{"--write " + dir + " --ring x", `--ring: "x" is not a size, a time and a number of files, as in 64MB,1h,100 (see 'rdmacap live --help')`},
		{"--write " + dir + " --ring none", "--ring none needs --on-finding: nothing would be written (see 'rdmacap live --help')"},
		{"--write " + dir + " --around 1s", "--around needs --on-finding (see 'rdmacap live --help')"},
		{"--write " + dir + " --on-finding=bad", `--on-finding: unknown severity "bad": use error, warning or note (see 'rdmacap live --help')`},
		{"--write " + dir + " --on-finding --around 1", `--around: "1" is not a time of up to 1h, such as 10s (see 'rdmacap live --help')`},
		{"--write " + dir + " --on-finding --evidence 0", `--evidence: "0" is not a number of directories from 1 to 10000 and a time, as in 100,10m (see 'rdmacap live --help')`},
		{"--write " + dir + " --on-finding warning", "a severity follows --on-finding with =, as in --on-finding=warning (see 'rdmacap live --help')"},
		{"--write " + dir + " --on-finding=note --severity warning", "--on-finding=note: --severity warning hides such findings (see 'rdmacap live --help')"},
		{"--write " + file, file + ": is not a directory"},
		{"--write " + dir + "/none/such", dir + "/none/such: cannot be made: no such file or directory"},
	} {
		args := slices.Concat([]string{"live", "-r", sample("rxe-cb")}, strings.Fields(c.args))
		r := rdmacap(args...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+c.want+"\n" {
			t.Errorf("%s: %+v", c.args, r)
		}
	}
	if r := rdmacap("live", "-r", dir, "--follow", "--write", dir+"/."); r.err != "rdmacap: --write "+dir+"/.: live would read its own output\n" || r.status != exitUnusable {
		t.Errorf("%+v", r)
	}
	if names := keptFiles(t, dir, "*"); len(names) > 0 {
		t.Errorf("%q", names)
	}
}
