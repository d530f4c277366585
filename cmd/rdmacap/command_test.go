package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMisuse holds what is reported of command lines that cannot be: what, and
// where the rules stand.
func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"raed x.pcap", `unknown command "raed"; did you mean "read"? (see 'rdmacap --help')`},
		{"nonsense", `unknown command "nonsense" (see 'rdmacap --help')`},
		{"command_test.go", `unknown command "command_test.go"; to check a capture: rdmacap check command_test.go, to list it: rdmacap read command_test.go (see 'rdmacap --help')`},
		{"read", `read needs a capture file, or - for standard input (see 'rdmacap read --help')`},
		{"read - -", `standard input (-) can be read only once (see 'rdmacap read --help')`},
		{"read --level packet x", `--level: unknown level "packet": use frame, message or rpc (see 'rdmacap read --help')`},
		{"read --format xml x", `--format: unknown format "xml": use text, json, ndjson, csv or tsv (see 'rdmacap read --help')`},
		{"read --color blue x", `--color: unknown value "blue": use auto, always or never (see 'rdmacap read --help')`},
		{"read --colour x", `unknown flag: --colour; did you mean --color? (see 'rdmacap read --help')`},
		{"read --level", `flag needs an argument: --level (see 'rdmacap read --help')`},
		{"read --roce-port 99999 x", `invalid argument "99999" for "--roce-port" flag: a port is a number from 1 to 65535 (see 'rdmacap read --help')`},
		{"read --iwarp-port 0 x", `invalid argument "0" for "--iwarp-port" flag: a port is a number from 1 to 65535 (see 'rdmacap read --help')`},
		{"version 2", `version takes no arguments (see 'rdmacap version --help')`},
	} {
		r := rdmacap(strings.Fields(c.args)...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+c.want+"\n" {
			t.Errorf("rdmacap %s: status %d, standard output %q, standard error\n%q, want\n%q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"read", "--help"}, {"version", "--help"}, {}} {
		if out := must(t, args...); !strings.Contains(out, "Examples:") {
			t.Errorf("rdmacap %q shows no example:\n%s", args, out)
		}
	}
}

func TestVersion(t *testing.T) {
	out := must(t, "version")
	if !strings.HasPrefix(out, "rdmacap ") || !strings.Contains(out, ", go1.") || strings.Count(out, "\n") != 1 {
		t.Errorf("%q", out)
	}
	for _, flag := range []string{"--version", "-v"} {
		if got := must(t, flag); got != out {
			t.Errorf("%s prints %q, want %q", flag, got, out)
		}
	}
}

// TestEscapes holds that nothing a terminal would obey comes out of file names, or of what
// stands in files, in what is reported to a person.
func TestEscapes(t *testing.T) {
	const strange = "a\x1b[31mb\x07c\u202ed\xff"
	named := write(t, strange, []byte("none"))
	for _, args := range [][]string{
		{"read", named},
		{"check", strange + ".pcap"},
		{"read", "--binding", write(t, "x.x", []byte("const A = 1;\n\t\x1b[31m = 2;\n")), sample("rxe-cb")},
		{"read", "-Y", strange, sample("rxe-cb")},
		{"read", "--" + strange, sample("rxe-cb")},
		{strange},
	} {
		r := rdmacap(args...)
		if r.status != exitUnusable || r.err == "" || strings.ContainsAny(r.err, "\x1b\x07\u202e") || !utf8.ValidString(r.err) {
			t.Errorf("%q: status %d, %q", args, r.status, r.err)
		}
	}
	if r := rdmacap("read", named); !strings.Contains(r.err, `a\x1b[31mb\ac\u202ed\xff: byte 0: `) {
		t.Errorf("%q", r.err)
	}
}

// TestInputs holds that a capture is the same from every kind of input.
func TestInputs(t *testing.T) {
	plain := unpacked(t, "rxe-cb")
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(sample("rxe-cb"))
	if err != nil {
		t.Fatal(err)
	}
	want := timeless(must(t, "read", sample("rxe-cb")))
	for name, data := range map[string][]byte{"plain": plain, "gzip": zipped.Bytes(), "zstd": packed} {
		if got := timeless(must(t, "read", write(t, "capture", data))); got != want {
			t.Errorf("%s as a file differs", name)
		}
		r := rdmacapReading(bytes.NewReader(data), "read", "-")
		if timeless(r.out) != want || r.err != "" || r.status != exitDone {
			t.Errorf("%s on standard input differs: status %d, %q", name, r.status, r.err)
		}
	}
}

// TestSeveralFiles holds that captures are merged by time and that rows and
// records then name the file of a frame.
func TestSeveralFiles(t *testing.T) {
	// rxe-loss was captured before rxe-cb.
	out := must(t, "read", "--level", "message", "--format", "ndjson", sample("rxe-cb"), sample("rxe-loss"))
	var files []string
	var before string
	for line := range strings.Lines(out) {
		r := decode(t, line).(map[string]any)
		checkRecord(t, r)
		if r["type"] != "message" {
			continue
		}
		file, at := r["file"].(json.Number).String(), r["time"].(string)
		if len(files) == 0 || files[len(files)-1] != file {
			files = append(files, file)
		}
		if at < before {
			t.Fatalf("%s after %s", at, before)
		}
		before = at
	}
	if got := strings.Join(files, " "); got != "1 0" {
		t.Errorf("messages come from the files %s, want 1 0", got)
	}
	text := must(t, "read", "--level", "frame", sample("rxe-cb"), sample("rxe-loss"))
	if !strings.Contains(text, "\nFile    Frame") || !strings.Contains(text, "\n   1        1     0.000000") {
		t.Errorf("rows do not name their file:\n%.300s", text)
	}
}

// TestStandardOutput holds that only results go there.
func TestStandardOutput(t *testing.T) {
	r := rdmacap("read", "--format", "ndjson", write(t, "cut.pcap", unpacked(t, "rxe-cb")[:5000]), "no such file")
	for line := range strings.Lines(r.out) {
		checkRecord(t, decode(t, line).(map[string]any))
	}
	for line := range strings.Lines(r.err) {
		if !strings.HasPrefix(line, "rdmacap: ") {
			t.Errorf("standard error has %q", line)
		}
	}
	if strings.Count(r.err, "\n") != 2 {
		t.Errorf("standard error %q, want two lines", r.err)
	}
}

func TestQuiet(t *testing.T) {
	loud, quiet := must(t, "read", sample("rxe-cb")), must(t, "read", "-q", sample("rxe-cb"))
	summary := last(loud)
	if !strings.HasPrefix(summary, "116 RPCs on 2 connections, 585 frames of 89.9 kB, 45 frames not RDMA, 1 retransmission; 71.2 s captured, read in ") {
		t.Errorf("summary %q", summary)
	}
	if loud != quiet+summary+"\n" {
		t.Error("-q takes away more than the summary, or less")
	}
}

// escapes are what colour is made of.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestColor holds that colour is a matter of --color and, with auto, of
// NO_COLOR and the terminal; and that it changes nothing but colour.
func TestColor(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	read := func(color string) string {
		return must(t, "read", "-q", "-x", "--level", "frame", "--color", color, sample("rxe-cb"))
	}
	never, auto, always := read("never"), read("auto"), read("always")
	if strings.Contains(never, "\x1b") || auto != never {
		t.Error("there is colour where none is wanted")
	}
	if !strings.Contains(always, "\x1b[") {
		t.Error("--color always gives no colour")
	}
	if plain := escapes.ReplaceAllString(always, ""); plain != never {
		t.Error("colour changes more than colour")
	}
	t.Setenv("NO_COLOR", "")
	if read("auto") != never {
		t.Error("there is colour on what is no terminal")
	}
}

// TestCompletion holds what a shell is offered.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args, offers, directive string
	}{
		{"read --level ", "frame\nmessage\nrpc\n", ":4"},
		{"read --format ", "text\njson\nndjson\ncsv\ntsv\n", ":4"},
		{"read --color ", "auto\nalways\nnever\n", ":4"},
		{"read ", "", ":0"}, // file names
	} {
		out := rdmacap(append([]string{"__complete"}, strings.Split(c.args, " ")...)...).out
		if out != c.offers+c.directive+"\n" {
			t.Errorf("rdmacap %s: %q", c.args, out)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := must(t, "completion", shell)
		if !strings.Contains(script, "rdmacap") {
			t.Errorf("%s: no script", shell)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed here: its script is not checked", shell)
			continue
		}
		if out, err := exec.Command(path, "-n", write(t, filepath.Base(path), []byte(script))).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
