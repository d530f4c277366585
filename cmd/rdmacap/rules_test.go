package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
)

// TestRulesGoldens holds what a person sees of the catalogue. The names are the
// commands.
func TestRulesGoldens(t *testing.T) {
	for name, args := range map[string][]string{
		"rules.txt":               {"rules"},
		"rules-CROW-001.txt":      {"rules", "--samples", "CROW-001"},
		"rules-config.txt":        {"rules", "--config"},
		"rules-format-ndjson.txt": {"rules", "--format", "ndjson"},
	} {
		t.Run(name, func(t *testing.T) {
			r := straw(args...)
			if r.status != exitDone || r.err != "" {
				t.Fatalf("status %d, %s", r.status, r.err)
			}
			golden(t, name, r.out)
		})
	}
}

// TestRulesFind holds what words find.
func TestRulesFind(t *testing.T) {
	explained := straw("rules", "CROW-001").out
	for _, name := range []string{"crow-001", "CROW-1", "crow1", "CROW-001b", "crow-1B"} {
		if straw("rules", name).out != explained {
			t.Errorf("%s does not explain CROW-001", name)
		}
	}
	if count := "captures as text\n"; !strings.Contains(strings.ToLower(explained), count) || strings.Contains(explained, "Fires on") {
		t.Errorf("without --samples:\n%s", explained)
	}
	for words, want := range map[string]string{
		"crow":             "CROW-001 CROW-002 CROW-003",
		"STRAW":            "STRAW-001",
		"sent":             "CROW-001 CROW-002",
		"sent call":        "CROW-001 CROW-002",
		"sent RDMA_XID":    "CROW-001",
		"second line":      "CROW-001",
		"CROW-002 straw-1": "CROW-002 STRAW-001",
	} {
		var got []string
		for line := range strings.Lines(straw(append([]string{"rules", "--format", "ndjson"}, strings.Fields(words)...)...).out) {
			got = append(got, decode(t, line).(map[string]any)["id"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

// TestRulesForms holds that json is an array of the same records.
func TestRulesForms(t *testing.T) {
	list := decode(t, straw("rules", "--format", "json").out).([]any)
	var lines []any
	for line := range strings.Lines(straw("rules", "--format", "ndjson").out) {
		lines = append(lines, decode(t, line))
	}
	if len(list) != 4 || fmt.Sprint(list) != fmt.Sprint(lines) {
		t.Errorf("json has %d records and ndjson %d, or they differ", len(list), len(lines))
	}
}

// TestRulesConfig holds that the file that is printed is one that check takes.
func TestRulesConfig(t *testing.T) {
	path := write(t, "rdmacap.toml", []byte(straw("rules", "--config").out))
	with := straw("check", "--config", path, sample("rxe-cb"))
	without := straw("check", sample("rxe-cb"))
	if timeless(with.out) != timeless(without.out) || with.err != "" {
		t.Errorf("the defaults change what is found: %s", with.err)
	}
}

// TestConfigMatters holds that a limit comes to the rules: how large a chunk may be.
func TestConfigMatters(t *testing.T) {
	path := write(t, "rdmacap.toml", []byte("exposure = 4096\n"))
	check := func(args ...string) string {
		args = append([]string{"check", "--rules", "SEC-004", "--format", "ndjson", sample("rxe-basic")}, args...)
		return rdmacap(args...).out
	}
	with, without := check("--config", path), check()
	if !strings.Contains(with, `"rule":"SEC-004a"`) || strings.Contains(without, `"rule":"SEC-004a"`) {
		t.Error("the setting has no effect")
	}
}

// TestSettingsDocumented holds that docs/check.md has a row for each setting.
func TestSettingsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "check.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range rules.Settings() {
		row := fmt.Sprintf("| `%s` | `%s` | %s | %s |", s.Name, s.Default(), s.Meaning, s.Of)
		if !strings.Contains(string(doc), row) {
			t.Errorf("docs/check.md lacks the row\n%s", row)
		}
	}
}

// TestRuleCompletion holds what a shell is offered.
func TestRuleCompletion(t *testing.T) {
	for _, args := range [][]string{{"rules", "CR"}, {"check", "--rules", "CR"}} {
		out := straw(append([]string{"__complete"}, args...)...).out
		if !strings.Contains(out, "CROW\n") || !strings.Contains(out, "CROW-001\tA call is sent\n") {
			t.Errorf("%q: %s", args, out)
		}
	}
}
