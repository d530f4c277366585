package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// built is the program, and what it prints for --help.
func built(t *testing.T) func(...string) (string, error) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "rdmacap")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/rdmacap/rdmacap/cmd/rdmacap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(command ...string) (string, error) {
		out, err := exec.Command(program, append(command, "--help")...).Output()
		return string(out), err
	}
}

// TestPages makes the pages of the program, holds that they have what help has, and has mandoc
// look at them.
func TestPages(t *testing.T) {
	help := built(t)
	released := time.Date(2026, 11, 30, 23, 30, 0, 0, time.FixedZone("", -3600))
	pages, err := Pages("rdmacap", Release{"1.2.3", "analyse captures", released}, help)
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 18 {
		t.Errorf("there are %d pages", len(pages))
	}
	check := pages["rdmacap-check.1"]
	for _, want := range []string{
		".TH RDMACAP\\-CHECK 1 2026-12-01 \"rdmacap 1.2.3\"",
		".SH NAME\nrdmacap\\-check \\- Check captures",
		"\\fBrdmacap check\\fR [flags] FILE...",
		".TP\n\\fB\\-Y\\fR, \\fB\\-\\-filter\\fR \\fIEXPR\\fR\n",
		".SH EXIT STATUS\n0 if no finding",
		"\nrdmacap check \\-\\-rules \\-SEC trace.pcap",
		".BR rdmacap (1)",
	} {
		if !strings.Contains(check, want) {
			t.Errorf("the page of check has no %q", want)
		}
	}
	said, err := help("check")
	if err != nil {
		t.Fatal(err)
	}
	flags := 0
	for line := range strings.Lines(said) {
		if word, _, _ := strings.Cut(strings.TrimLeft(line, " "), " "); strings.HasPrefix(word, "--") && strings.HasPrefix(line, "      --") {
			flags++
			if !strings.Contains(check, `.TP`+"\n"+`\fB`+code(word)+`\fR`) {
				t.Errorf("the page of check has no flag %s", word)
			}
		}
	}
	if flags < 10 {
		t.Errorf("check has %d flags without a letter", flags)
	}
	if !strings.Contains(pages["rdmacap-export.1"], ".BR rdmacap\\-export\\-objects (1)") {
		t.Error("the page of export does not refer to that of export objects")
	}
	lint(t, pages)
}

// lint has mandoc complain of pages.
func lint(t *testing.T, pages map[string]string) {
	t.Helper()
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed (Debian: apt install mandoc): its opinion is left out")
	}
	for name, text := range pages {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(mandoc, "-Tlint", "-Wwarning", path).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("mandoc: %v\n%s", err, out)
		}
	}
}

// TestHelp holds how help is taken apart: items go on, and prose has lines that are kept.
func TestHelp(t *testing.T) {
	h := parseHelp("About it,\nin two lines.\n\n  kept\n\nExit status: 0\nalways.\n\nUsage:\n  p [flags]\n\nExamples:\n  p x |\n    q\n\nFlags:\n  -a, --all LIST            one\n                            --since two\n      --quite-a-long-name VALUE\n                            three\n\nHelp for a command: p x --help\n")
	p := page{command: "p", does: "does", help: h, version: "1", released: time.Unix(0, 0)}
	want := `.TH P 1 1970-01-01 "rdmacap 1" "User Commands"
.nh
.ad l
.SH NAME
p \- does
.SH SYNOPSIS
\fBp\fR [flags]
.SH DESCRIPTION
About it, in two lines.
.PP
.EX
  kept
.EE
.SH OPTIONS
.TP
\fB\-a\fR, \fB\-\-all\fR \fILIST\fR
one \-\-since two
.TP
\fB\-\-quite\-a\-long\-name\fR \fIVALUE\fR
three
.SH EXIT STATUS
0 always.
.SH EXAMPLES
.EX
p x |
  q
.EE
.SH SEE ALSO
`
	if got := p.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHelpWithoutUsage holds that what is no help makes no page.
func TestHelpWithoutUsage(t *testing.T) {
	for _, text := range []string{"", "About it.\n", "Usage:\n  p\n\nFlags:\n  -h, --help  help\n"} {
		if _, err := Pages("p", Release{}, func(...string) (string, error) { return text, nil }); err == nil {
			t.Errorf("%q made a page", text)
		}
	}
}

// TestEscape holds what roff gets for characters that it would make something of.
func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"a\\b 'c' `d` ^~ \"e\"": `a\eb \(aqc\(aq \(gad\(ga \(ha\(ti \(dqe\(dq`,
		".dot":                  `\&.dot`,
		"well-known --flag":     `well-known \-\-flag`,
		"── →":                  `\[u2500]\[u2500] \[u2192]`,
	} {
		if got := prose(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := code("a-b"); got != `a\-b` {
		t.Errorf("a-b as code is %q", got)
	}
}
