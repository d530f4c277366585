package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// examples are the rules of docs/own-rules.md.
var examples = filepath.Join("..", "..", "docs", "examples", "rules")

// TestOwnRules uses the rules of the guide: with findings as those of any rule, the same with
// any number of workers.
func TestOwnRules(t *testing.T) {
	capture := sample("fallback-roce")
	first := rdmacap("check", "--rules-dir", examples, "--rules", "SITE", "--workers", "1", "--format", "ndjson", capture)
	if first.status != exitFindings || !strings.Contains(first.out, `"rule":"SITE-001"`) {
		t.Fatalf("status %d\n%s%s", first.status, first.out, first.err)
	}
	strip := func(r result) string {
		s, _, _ := strings.Cut(r.out, `"type":"summary"`)
		return s
	}
	if again := rdmacap("check", "--rules-dir", examples, "--rules", "SITE", "--workers", "4", "--format", "ndjson", capture); strip(again) != strip(first) {
		t.Errorf("with four workers\n%s\nwith one\n%s", again.out, first.out)
	}
	if out := must(t, "rules", "--rules-dir", examples, "site-2"); !strings.Contains(out, "SITE-002  Large WRITE") {
		t.Error(out)
	}
	for _, format := range []string{"text", "json", "sarif"} {
		if r := rdmacap("check", "--rules-dir", examples, "--format", format, capture); r.status != exitFindings || !strings.Contains(r.out, "SITE-001") {
			t.Errorf("%s: status %d\n%s%s", format, r.status, r.out, r.err)
		}
	}
}

// TestOwnRulesTried tries rules by their samples.
func TestOwnRulesTried(t *testing.T) {
	if out := must(t, "rules", "test", examples); !strings.Contains(out, "ok  SITE-001: 3 samples, played 6 times\n") {
		t.Error(out)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.rule")
	put := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const head = "id: SITE-009\ntitle: NULL\nseverity: note\nwhen rpc: rpc.procedure == NULL\n\n== meaning\nX.\n\n== advice\nX.\n\n"
	put(head + "== silent: it is not\ncall 1 NFS3 NULL\nreply 1\n")
	if r := rdmacap("rules", "test", dir); r.status != exitFindings || !strings.Contains(r.out, path+":12:1: it is not, over roce: not wanted: note SITE-009") {
		t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
	}
	put(head + "== fires: misspelt\ncall 1 NFS3 NULL\nrepply 1\n    want SITE-009\n")
	if r := rdmacap("rules", "test", dir); r.status != exitFindings || !strings.Contains(r.out, path+":14:1: misspelt, over roce: ") {
		t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
	}
	put(strings.Replace(head, "rpc.procedure", "rpc.prozedure", 1))
	for _, args := range [][]string{{"rules", "test", dir}, {"check", "--rules-dir", dir, sample("fallback-roce")}} {
		if r := rdmacap(args...); r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, path+":4:11: ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: status %d\n%s%s", args, r.status, r.out, r.err)
		}
	}
	if r := rdmacap("check", "--rules-dir", filepath.Join(dir, "none"), sample("fallback-roce")); r.status != exitUnusable {
		t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
	}
}
