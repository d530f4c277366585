package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// later is a sample without its first n frames: the capture began late.
func later(t *testing.T, name string, n int) []byte {
	t.Helper()
	file := unpacked(t, name)
	at := 24 // the header of a little-endian pcap file
	for range n {
		at += 16 + int(binary.LittleEndian.Uint32(file[at+8:]))
	}
	return append(file[:24:24], file[at:]...)
}

// TestCheckGoldens holds what a person sees, with rules that find something. The
// names are the commands.
func TestCheckGoldens(t *testing.T) {
	for name, args := range map[string][]string{
		"check-rxe-cb.txt":               {"check", sample("rxe-cb")},
		"check-format-ndjson-rxe-cb.txt": {"check", "--format", "ndjson", sample("rxe-cb")},
		"check-rules-siw-perftest.txt":   {"check", "--rules", "-STRAW", sample("siw-perftest")},
		"check-rules-two-files.txt":      {"check", "--rules", "-CROW-002", sample("rxe-cb"), sample("siw-cb")},
		"check-rules-late.txt":           {"check", "--rules", "CROW-003", write(t, "late.pcap", later(t, "rxe-cb", 60))},
		"check-color-always-rxe-cb.txt":  {"check", "--color", "always", sample("rxe-cb")},
		"check-brief-two-files.txt":      {"check", "--brief", sample("rxe-cb"), sample("siw-cb")},
		"check-severity-rxe-cb.txt":      {"check", "--severity", "warning", sample("rxe-cb")},
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, timeless(straw(args...).out)) })
	}
}

// TestCheckWidth holds that a finding can be pasted: no line is wider than a page,
// but for what must not be broken.
func TestCheckWidth(t *testing.T) {
	for line := range strings.Lines(straw("check", sample("rxe-cb"), sample("siw-cb")).out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 96 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestCheckStatus holds the exit status: findings at or above --fail-on, and first
// of all whether the captures could be used.
func TestCheckStatus(t *testing.T) {
	cb, perftest := sample("rxe-cb"), sample("rxe-perftest")
	cut := write(t, "cut.pcap", unpacked(t, "rxe-cb")[:30000])
	for _, c := range []struct {
		args string
		want int
	}{
		{cb, exitFindings},
		{"--fail-on never " + cb, exitDone},
		{"--fail-on note " + cb, exitFindings},
		{"--rules CROW-002 " + cb, exitDone},
		{"--rules CROW-002 --fail-on warning " + cb, exitFindings},
		{"--rules STRAW --fail-on warning " + cb, exitDone},
		{"--rules STRAW --fail-on note " + cb, exitFindings},
		{"--rules STRAW --fail-on note -q " + perftest, exitFindings},
		{"--fail-on never " + cb + " missing.pcap", exitUnusable},
		{cb + " missing.pcap", exitUnusable},
		{"--fail-on never " + cut, exitDone},
		{cut, exitFindings},
		{"--severity warning --rules STRAW --fail-on warning " + cb, exitDone},
		{"--severity error --brief " + cb, exitFindings},
		{"--format sarif " + cb, exitFindings},
		{"--format json --fail-on never " + cb, exitDone},
	} {
		r := straw(strings.Fields("check " + c.args)...)
		if r.status != c.want {
			t.Errorf("check %s: status %d, want %d; %s", c.args, r.status, c.want, r.err)
		}
	}
}

// TestCheckMisuse holds what is reported of flags that cannot be.
func TestCheckMisuse(t *testing.T) {
	config := write(t, "bad.toml", []byte("slow_call = \"1s\"\nslow_cal = \"1s\"\n"))
	for _, c := range []struct{ args, want string }{
		{"check", "check needs a capture file, or - for standard input (see 'rdmacap check --help')"},
		{"check --fail-on bad x", `--fail-on: unknown severity "bad": use error, warning, note or never (see 'rdmacap check --help')`},
		{"check --severity never x", `--severity: unknown severity "never": use error, warning or note (see 'rdmacap check --help')`},
		{"check --severity error --fail-on warning x", `--fail-on warning: --severity error hides such findings (see 'rdmacap check --help')`},
		{"check --brief --format json x", `--brief is a text format and cannot be combined with --format json (see 'rdmacap check --help')`},
		{"check --format xml x", `--format: unknown format "xml": use text, json, ndjson or sarif (see 'rdmacap check --help')`},
		{"check --color blue x", `--color: unknown value "blue": use auto, always or never (see 'rdmacap check --help')`},
		{"check --rules CROW-009 x", `--rules: there is no rule or family "CROW-009" (see 'rdmacap rules') (see 'rdmacap check --help')`},
		{"check --config " + config + " x", `--config: ` + config + `:2: there is no setting "slow_cal"; did you mean "slow_call"? (see 'rdmacap check --help')`},
		{"rules --format xml", `--format: unknown format "xml": use text, json or ndjson (see 'rdmacap rules --help')`},
		{"rules --config CROW-001", `--config takes no arguments and no --format (see 'rdmacap rules --help')`},
		{"rules CROWS-001", `there is no rule "CROWS-001", and no rule has it in its text; did you mean CROW-001?`},
		{"rules zzz", `there is no rule "zzz", and no rule has it in its text`},
	} {
		r := straw(strings.Fields(c.args)...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+c.want+"\n" {
			t.Errorf("rdmacap %s: status %d, standard output %q, standard error\n%q, want\n%q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}

// TestCheckColor holds that colour changes nothing but colour.
func TestCheckColor(t *testing.T) {
	never := straw("check", "-q", sample("rxe-cb")).out
	always := straw("check", "-q", "--color", "always", sample("rxe-cb")).out
	if never == always || escapes.ReplaceAllString(always, "") != never {
		t.Error("colour changes more than colour, or nothing")
	}
}

// TestCheckQuiet holds that -q leaves out connections without findings, and the
// last lines.
func TestCheckQuiet(t *testing.T) {
	if out := straw("check", "-q", "--rules", "CROW-001", sample("rxe-perftest")).out; out != "" {
		t.Errorf("nothing was found, and this is printed:\n%s", out)
	}
	loud, quiet := straw("check", sample("rxe-cb")).out, straw("check", "-q", sample("rxe-cb")).out
	if rest, ok := strings.CutPrefix(loud, quiet); !ok || strings.Count(rest, "\n") != 8 || !strings.HasPrefix(rest, "\n── in short\n") {
		t.Errorf("-q takes away %q", rest)
	}
}

// TestSeverity holds that no form shows a finding that is less severe than what was asked
// for, and that each shows the others: as many as the summary of all counts.
func TestSeverity(t *testing.T) {
	file := sample("rxe-cb")
	all := ""
	for line := range strings.Lines(straw("check", "--format", "ndjson", file).out) {
		if strings.Contains(line, `"type":"finding"`) { // the summary has severities too
			all += line
		}
	}
	for _, least := range []string{"note", "warning", "error"} {
		want := strings.Count(all, `"severity":"error"`)
		if least != "error" {
			want += strings.Count(all, `"severity":"warning"`)
		}
		if least == "note" {
			want += strings.Count(all, `"severity":"note"`)
		}
		page := filepath.Join(t.TempDir(), "page.html")
		if r := straw("report", "--severity", least, "-o", page, file); r.status != exitDone {
			t.Fatalf("report --severity %s: status %d, %s", least, r.status, r.err)
		}
		html, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for form, got := range map[string]int{
			"ndjson":        strings.Count(straw("check", "--severity", least, "--format", "ndjson", file).out, `"type":"finding"`),
			"sarif":         strings.Count(straw("check", "--severity", least, "--format", "sarif", file).out, `"ruleIndex"`),
			"brief":         strings.Count(straw("check", "--severity", least, "--brief", "-q", file).out, "\n"),
			"live --brief":  strings.Count(straw("live", "--severity", least, "--brief", "-q", "-r", file).out, "\n"),
			"report's page": countedByRule(t, string(html)),
		} {
			if got != want || want == 0 {
				t.Errorf("--severity %s: %s has %d findings, want %d", least, form, got, want)
			}
		}
	}
}

// countedByRule is how many findings a page's table by rule has: what says the same on several connections stands in
// the page once, and is counted.
func countedByRule(t *testing.T, page string) (sum int) {
	t.Helper()
	_, table, ok := strings.Cut(page, `<table class="by-rule">`)
	if !ok {
		t.Fatal("the page has no table of findings by rule")
	}
	table, _, _ = strings.Cut(table, "</table>")
	for _, m := range regexp.MustCompile(`<td class="number">(\d+)</td>`).FindAllStringSubmatch(table, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// TestCheckRules runs the rules that there are over every sample: what they say is
// in the contract's form, whatever it is.
func TestCheckRules(t *testing.T) {
	for _, name := range few() {
		r := rdmacap("check", "--format", "ndjson", "--fail-on", "never", sample(name))
		if r.status != exitDone || r.err != "" {
			t.Fatalf("%s: status %d, %s", name, r.status, r.err)
		}
		holdFindings(t, r.out)
	}
}

// TestCheckDocumented holds that docs/json.md names every member.
func TestCheckDocumented(t *testing.T) {
	names := map[string]bool{}
	for line := range strings.Lines(straw("check", "--format", "ndjson", sample("rxe-cb"), sample("siw-perftest")).out) {
		r := decode(t, line).(map[string]any)
		delete(r, "evidence")
		memberNames(r, names)
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range names {
		if !regexp.MustCompile("[`\"]" + name + "[`\"]").Match(doc) {
			t.Errorf("docs/json.md does not name %s", name)
		}
	}
}

// What several connections have is told once, by the worst of them, with where else it is.
func TestAlsoNamesOthers(t *testing.T) {
	out := must(t, "check", sample("siw-loss"))
	for _, want := range []string{"where      frame 88,", "also       frame 1352 of #2", "where      frame 1862,", "also       frame 447 of #1"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
