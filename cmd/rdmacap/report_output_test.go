package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
)

// TestReportOutput holds where the page goes, and that nothing else is left behind.
func TestReportOutput(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.html")
	if err := os.WriteFile(out, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if r := rdmacap("report", sample("rxe-cb"), "-o", out); r.status != exitUnusable || r.err != "rdmacap: "+out+" exists: --force replaces it\n" {
		t.Errorf("a file that is there: %+v", r)
	}
	r := rdmacap("report", sample("rxe-cb"), "--force", "-o", out)
	if r.status != exitDone || r.err != "" || !regexp.MustCompile(`^\S+out\.html: \d+\.\d MB, .*note`).MatchString(r.out) || strings.Count(r.out, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	blocks.Read(t, out)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v (%v), want the page alone", left, err)
	}
	standard := rdmacap("report", sample("rxe-cb"), "-o", "-")
	if standard.status != exitDone || !strings.HasPrefix(standard.out, "<!doctype html>") || !strings.HasSuffix(standard.out, "</html>\n") {
		t.Errorf("standard output begins with %.40q, status %d", standard.out, standard.status)
	}
	link := filepath.Join(dir, "link.html")
	if err := os.Symlink("out.html", link); err == nil {
		must(t, "report", "-q", "--force", sample("rxe-cb"), "-o", link)
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link became %v (%v)", info, err)
		}
	}
}

// TestReportNamesFiles holds that the page has the captures' names without their folders,
// which are nobody else's business, but where two have the same one.
func TestReportNamesFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/trace.pcap", "b/trace.pcap", "b/other.pcap"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), unpacked(t, "rxe-cb"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trace, other, another := filepath.Join(dir, "a/trace.pcap"), filepath.Join(dir, "b/other.pcap"), filepath.Join(dir, "b/trace.pcap")
	for _, c := range []struct {
		files   []string
		command string
	}{
		{[]string{trace}, "rdmacap read trace.pcap"},
		{[]string{trace, other}, "rdmacap read trace.pcap other.pcap"},
		{[]string{trace, another}, "rdmacap read " + trace + " " + another},
	} {
		page := must(t, append([]string{"report", "-q", "-o", "-"}, c.files...)...)
		if !strings.Contains(page, "<code>"+c.command+"</code>") {
			t.Errorf("the page of %q does not have %q", c.files, c.command)
		}
		if c.command != "rdmacap read "+trace+" "+another && strings.Contains(page, dir) {
			t.Errorf("the page of %q has their folder", c.files)
		}
	}
}

// TestReportTooLarge holds that a page that cannot be as small as it should says so.
func TestReportTooLarge(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.html")
	r := rdmacap("report", "-q", "--max-size", "100kB", sample("rxe-cb"), "-o", out)
	if r.status != exitDone || !regexp.MustCompile(`^rdmacap: warning: \S+out\.html has 0\.\d\d MB, more than --max-size 100kB: `).MatchString(r.err) {
		t.Errorf("%+v", r)
	}
	if r = rdmacap("report", "-q", "--max-size", "1MB", sample("rxe-cb"), "--force", "-o", out); r.err != "" {
		t.Errorf("%+v", r)
	}
}

// TestReportMisuse holds what is reported of command lines that cannot be used.
func TestReportMisuse(t *testing.T) {
	dir := t.TempDir()
	capture := filepath.Join(dir, "trace.pcap")
	if err := os.WriteFile(capture, unpacked(t, "rxe-cb"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.html")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{capture}, "report needs -o OUT.html"},
		{[]string{"-o", out}, "report needs a capture file"},
		{[]string{capture, "-o", capture}, "is one of the captures"},
		{[]string{capture, "-o", dir}, "is a directory"},
		{[]string{capture, "-o", filepath.Join(dir, "none", "x.html")}, "no such file"},
		{[]string{capture, "-o", out, "--max-size", "20"}, ""},
		{[]string{capture, "-o", out, "--max-size", "20XB"}, "--max-size: XB is not a unit of sizes"},
		{[]string{capture, "-o", out, "--max-size", "much"}, "--max-size: it is a number of bytes"},
		{[]string{capture, "-o", out, "--max-size", "-1"}, "--max-size: -1 is below 0"},
		{[]string{capture, "-o", out, "--rules", "XYZ"}, "--rules:"},
		{[]string{filepath.Join(dir, "none.pcap"), "-o", filepath.Join(dir, "never.html")}, "none.pcap"},
	} {
		r := rdmacap(append([]string{"report"}, c.args...)...)
		if c.want == "" {
			if r.status != exitDone {
				t.Errorf("%v: %+v", c.args, r)
			}
			continue
		}
		if r.status != exitUnusable || !strings.Contains(r.err, c.want) || r.out != "" {
			t.Errorf("%v: %+v, want %q", c.args, r, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "never.html")); err == nil {
		t.Error("a page was made of no capture")
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 {
		t.Errorf("the folder has %v, want the capture and a page", left)
	}
}

// TestReportOfDamage holds that what can be read of a damaged capture is in the page,
// which says what is missing.
func TestReportOfDamage(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	path := filepath.Join(t.TempDir(), "cut.pcap")
	if err := os.WriteFile(path, whole[:len(whole)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.html")
	r := rdmacap("report", "-q", path, "-o", out)
	if r.status != exitDone || !strings.Contains(r.err, "warning: ") {
		t.Errorf("%+v", r)
	}
	p := blocks.Read(t, out)
	if m := p.Meta(t); m.Totals.Rows == 0 {
		t.Errorf("no rows: %+v", m.Totals)
	}
	if text := blocks.Text(p.Root); !strings.Contains(text, "Not everything could be read") {
		t.Error("the page does not say that the capture is cut")
	}
}

// TestReportOfSeveral holds that with several captures frames have their file.
func TestReportOfSeveral(t *testing.T) {
	p := reported(t, sample("rxe-cb"), sample("siw-cb"))
	for _, a := range p.Find("a", "") {
		href := blocks.Attr(a, "href")
		if strings.HasPrefix(href, "#frame-") && !regexp.MustCompile(`^#frame-[01]\.\d+$`).MatchString(href) {
			t.Errorf("a frame is %s", href)
		}
	}
	for _, b := range p.Of("rows") {
		var r struct{ Columns map[string]any }
		if err := b.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Columns["file"] == nil || r.Columns["reply_file"] == nil {
			t.Error("rows have no file")
		}
	}
	if m := p.Meta(t); len(m.Files) != 2 {
		t.Errorf("the files are %q", m.Files)
	}
}

// TestReportIsReproducible holds that the same capture makes the same page.
func TestReportIsReproducible(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1795225110")
	first := must(t, "report", sample("rxe-cb"), "-o", "-")
	if again := must(t, "report", sample("rxe-cb"), "-o", "-"); again != first {
		t.Error("it made two pages")
	}
	if !strings.Contains(first, "2026-11-21T01:38:30Z") {
		t.Error("the page does not have the time")
	}
}

// leaving is a reader of the page that notes what was reported before its first byte.
type leaving struct {
	diag   *bytes.Buffer
	before string
}

func (w *leaving) Write(p []byte) (int, error) {
	w.before = w.diag.String()
	return 0, syscall.EPIPE
}

// TestReportTellsFirst holds that what was wrong with captures is told before the page is
// written: who reads that may leave, which can end the process.
func TestReportTellsFirst(t *testing.T) {
	var diag bytes.Buffer
	w := &leaving{diag: &diag}
	run(t.Context(), []string{"report", sample("rxe-cb"), "nonesuch", "-o", "-"}, streams{out: w, err: &diag})
	if !strings.Contains(w.before, "nonesuch: cannot be opened") {
		t.Errorf("before the page: %q, in all %q", w.before, &diag)
	}
}
