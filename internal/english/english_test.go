package english

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTexts holds that no text for users has a word that it should not have.
func TestTexts(t *testing.T) {
	t.Parallel()
	texts, err := Texts("../..")
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	words := Words()
	for _, text := range texts {
		kinds[kindOf(text.Where)]++
		for i := range words {
			if found := words[i].Find(text.Words); found != "" {
				t.Errorf("%s: %q: write %s", text.Where, found, words[i].Instead)
			}
		}
	}
	for kind, least := range map[string]int{".go": 3000, ".rule": 2000, ".md": 2000, ".ts": 200} {
		if kinds[kind] < least {
			t.Errorf("only %d texts of %s were found: are they elsewhere now?", kinds[kind], kind)
		}
	}
}

// TestWords holds that each word is found where it is, and not in what should stand in its place.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, w := range Words() {
		if w.Find(w.Bad) == "" {
			t.Errorf("not found: %q (%s)", w.Bad, w.Instead)
		}
		if found := w.Find(w.Good); found != "" {
			t.Errorf("%q is found in %q", found, w.Good)
		}
	}
}

// TestKinds holds what is a text for users in each kind of file.
func TestKinds(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct {
		text string
		want []string
	}{
		"a/b.go":      {"// Package b is b.\n//\n//\ta picture\npackage b\n\n// not for users\nconst x = \"two words `code`\" + \"one\"\n", []string{"Package b is b.\n\n\n", "two words ``"}},
		"a/b_test.go": {"package b\n\nconst x = \"two words\"\n", nil},
		"b.rule":      {"title: a b\n== why\nit is\n== fires: when\ncall 1\n== limits\nnone\n", []string{"title: a b", "== why", "it is", "== fires: when", "== limits", "none", ""}},
		"b.md":        {"a `code` b\n```\nmore code\n```\n", []string{"a `` b", "```", ""}},
		"b.ts":        {"/** octets of it */\nconst a = \"two words\", b = \"one\", c = `${octets(1)} more`;\n", []string{"\"two words\"", "`${} more`"}},
		"b.png":       {"two words", nil},
	} {
		read := readerOf(path)
		if read == nil {
			if c.want != nil {
				t.Errorf("%s is not read", path)
			}
			continue
		}
		got, err := read(path, c.text)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %q, %v, want %q", path, got, err, c.want)
			continue
		}
		for i := range got {
			if got[i].Words != c.want[i] {
				t.Errorf("%s: %q, want %q", path, got[i].Words, c.want[i])
			}
		}
	}
}

// kindOf is the end of a file's name in a place.
func kindOf(where string) string {
	path, _, _ := strings.Cut(where, ":")
	return filepath.Ext(path)
}

// TestWidth holds that the lines of documents have at most 100 columns; tables, code, and what has no space to break at, may
// have more.
func TestWidth(t *testing.T) {
	t.Parallel()
	const width = 100
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	for _, path := range append(files, "../../README.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md", "../../SECURITY.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range prose(string(text)) {
			at := strings.TrimSpace(line)
			broken := strings.HasPrefix(at, "|") || strings.HasPrefix(at, "![") || !strings.Contains(strings.TrimLeft(at, "-*# "), " ")
			if n := utf8.RuneCountInString(line); n > width && !broken {
				t.Errorf("%s:%d has %d columns: wrap it at %d", filepath.Base(path), i, n, width)
			}
		}
	}
}
