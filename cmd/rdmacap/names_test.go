//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// forged is a name that would be lines of their own, one of them a command to CI systems, and
// would colour a terminal; and how it is shown.
const (
	forged      = "a\n::error::x\x1b[31m\r\u2028b"
	forgedShown = `a\n::error::x\x1b[31m\r\u2028b`
)

// TestNames holds for every command that no name of a file, wherever it stands in an argument,
// makes a line in standard output or standard error, or steers a terminal.
func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), forged)
	sub := filepath.Join(dir, "rules"+forged)
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name+forged) }
	put := func(name string, data []byte) string {
		t.Helper()
		if err := os.WriteFile(in(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	whole := unpacked(t, "rxe-cb") // a pcap file
	good, cut, bad := put("good", whole), put("cut", whole[:5000]), put("bad", []byte("none"))
	found := put("found", unpacked(t, "faults/nospc"))
	other := bytes.Clone(whole)
	other[20] = 147 // DLT_USER0, which nothing knows
	link := put("link", other)
	binding := put("binding", []byte("const A = 1;\n\t= 2;\n"))
	config := put("config", []byte("[nothing]\n"))
	if err := os.WriteFile(filepath.Join(sub, "x\n.rule"), []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		silent bool // the name need not be told
	}{
		{args: []string{"read", good}, silent: true},
		{args: []string{"read", "--format", "json", good}, silent: true},
		{args: []string{"read", cut}},
		{args: []string{"read", bad, in("none"), dir}},
		{args: []string{"read", link}},
		{args: []string{"read", "--binding", binding, good}},
		{args: []string{"read", "--binding", in("none"), good}},
		{args: []string{"read", "-Y", forged, good}, silent: true},
		{args: []string{"read", "--level", forged, good}},
		{args: []string{"check", found}, silent: true},
		{args: []string{"check", "--brief", found}},
		{args: []string{"check", "--brief", found, cut}},
		{args: []string{"check", "--format", "json", found, bad}},
		{args: []string{"check", "--format", "sarif", found}, silent: true},
		{args: []string{"check", "--config", config, good}},
		{args: []string{"check", "--config", in("none"), good}},
		{args: []string{"check", "--rules-dir", sub, good}},
		{args: []string{"check", "--rules-dir", in("none"), good}},
		{args: []string{"rules", "--rules-dir", sub}},
		{args: []string{"rules", "test", sub}},
		{args: []string{"stats", cut, bad}},
		{args: []string{"report", cut, "-o", in("page")}},
		{args: []string{"report", good, "-o", good}},
		{args: []string{"report", good, "-o", filepath.Join(in("none"), "page")}},
		{args: []string{"report", good, "-o", filepath.Join(good, "page")}},
		{args: []string{"annotate", cut, "-o", in("copy")}},
		{args: []string{"annotate", bad, "-o", in("copy2")}},
		{args: []string{"annotate", good, "-o", dir}},
		{args: []string{"annotate", "/dev/null" + forged, "-o", in("copy3")}},
		{args: []string{"export", "objects", cut, "-o", in("objects")}},
		{args: []string{"export", "objects", cut, "-o", dir}},
		{args: []string{"export", "objects", good, "-o", filepath.Join(good, "objects")}},
		{args: []string{"live", "-r", found, "--brief"}},
		{args: []string{"live", "-r", bad}},
		{args: []string{"live", "-r", in("none")}},
		{args: []string{"live", "-r", dir}},
		{args: []string{"live", "-i", forged}},
		{args: []string{"live", good}},
		{args: []string{"live", "-r", found, "--write", sub, "--on-finding=note", "--brief"}},
		{args: []string{"live", "-r", good, "--write", in("none")}},
		{args: []string{"live", "-r", good, "--write", good}},
		{args: []string{"live", "-r", good, "--metrics", forged}},
		{args: []string{"replay", bad, "--to", "192.0.2.1"}},
		{args: []string{"replay", good, "--to", forged}, silent: true},
		{args: []string{"replay", in("none"), "--listen", "127.0.0.1:0"}},
		{args: []string{forged}},
		{args: []string{"help", forged}, silent: true},
		{args: []string{"export", forged}},
		{args: []string{"read", "--" + forged}},
		{args: []string{"annotate", good, bad}, silent: true},
	} {
		r := rdmacap(c.args...)
		shown := r.out + r.err
		for _, line := range strings.Split(shown, "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.ContainsAny(line, "\x1b\r\u2028") {
				t.Errorf("%q: the line %q", c.args, line)
			}
		}
		if !c.silent && !strings.Contains(shown, forgedShown) && !strings.Contains(shown, strings.ReplaceAll(forgedShown, `\`, `\\`)) {
			t.Errorf("%q: nothing names %s: status %d\n%.2000s", c.args, forgedShown, r.status, shown)
		}
	}
}

// TestNamesAtStart holds that a line of --brief, which begins with the name of a file, is no
// command to a CI system, and still names the file.
func TestNamesAtStart(t *testing.T) {
	file := unpacked(t, "faults/nospc")
	t.Chdir(t.TempDir())
	for _, name := range []string{"::error::x", " ::error::x"} {
		if err := os.WriteFile(name, file, 0o600); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(rdmacap("check", "--brief", "-q", name).out), "\n")
		for _, line := range lines {
			if !strings.HasPrefix(line, "./"+name+":") {
				t.Errorf("%q", line)
			}
		}
	}
}

// TestShown holds that of errors only newlines that stand in no name are lines.
func TestShown(t *testing.T) {
	missing := func(name string) error { _, err := os.Open(name); return err }
	at := &syntax.Error{Place: syntax.Place{File: forged, Line: 2, Column: 2}, Reason: "no", Text: "\tx\x1b"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{missing("no\n\x1b"), `open no\n\x1b: no such file or directory`},
		{fmt.Errorf("%s: %w", "a\n", missing("b\n")), `a\n: open b\n: no such file or directory`},
		{errors.Join(missing("a\n"), missing("b\n")), "open a\\n: no such file or directory\nopen b\\n: no such file or directory"},
		{fmt.Errorf("x\n: %w (y\n)", errors.Join(at, errors.New("z\n"))), `x\n: ` + forgedShown + ":2:2: no\n\t\tx\\x1b\n\t\t^\nz\\n (y\\n)"},
		// A name that has the words of the cause in it, and of the cause's cause.
		{fmt.Errorf("%s: %w", "no such file or directory\n", missing("\n")), `no such file or directory\n: open \n: no such file or directory`},
	} {
		if got := shown(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
