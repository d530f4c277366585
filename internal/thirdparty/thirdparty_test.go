package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// committed is THIRD-PARTY as it is in the repository.
func committed(t *testing.T) []part {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "THIRD-PARTY"))
	if err != nil {
		t.Fatal(err)
	}
	return parse(string(content))
}

// TestListed holds that THIRD-PARTY has Go, each module that is linked on some system and each package in the page, in the
// versions that are used, and nothing else.
func TestListed(t *testing.T) {
	t.Parallel()
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := shipped(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Go, its standard library and runtime"}
	for _, m := range modules {
		want = append(want, m.String())
	}
	for _, p := range packages {
		want = append(want, p.name)
	}
	if len(modules) < 15 || len(packages) < 1 {
		t.Errorf("only %d modules and %d packages were found", len(modules), len(packages))
	}
	var got []string
	for _, p := range committed(t) {
		got = append(got, p.name)
		if p.licence == "" {
			t.Errorf("THIRD-PARTY does not say the licence of %s", p.name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("THIRD-PARTY is not up to date (make gen): it has\n%s\nand should have\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTexts holds that each module's part has all texts that are with its code.
func TestTexts(t *testing.T) {
	t.Parallel()
	modules, err := linked(root)
	if err != nil {
		t.Fatal(err)
	}
	parts := make(map[string]string)
	for _, p := range committed(t) {
		parts[p.name] = p.texts[0].content
	}
	for _, m := range modules {
		texts, err := licenceFiles(m.Dir, m.packages)
		if err != nil {
			t.Errorf("%s: %v", m, err)
		}
		for _, want := range texts {
			if !strings.Contains(parts[m.String()], "\n--- "+want.name+"\n\n"+want.content) {
				t.Errorf("THIRD-PARTY lacks the text of %s in %s (make gen)", want.name, m)
			}
		}
	}
}

// TestLicenceFiles holds which files are passed on: also those next to packages, but not code.
func TestLicenceFiles(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LICENSE", "NOTICE.txt", "license.go", "README", "a/COPYING", "a/b/LICENSE-MIT"} {
		if err := os.WriteFile(filepath.Join(top, filepath.FromSlash(name)), []byte("text of "+name+" \r\n\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := licenceFiles(top, []string{deep})
	if err != nil {
		t.Fatal(err)
	}
	want := []text{
		{"LICENSE", "text of LICENSE\n"}, {"NOTICE.txt", "text of NOTICE.txt\n"},
		{"a/COPYING", "text of a/COPYING\n"}, {"a/b/LICENSE-MIT", "text of a/b/LICENSE-MIT\n"},
	}
	if !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	none := t.TempDir()
	if _, err := licenceFiles(none, nil); err == nil {
		t.Error("a folder without a licence is no error")
	}
	if err := os.WriteFile(filepath.Join(none, "README.md"), []byte("# It\n\n## License\n\nMIT\n\n## Author\n\nA. B.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err = licenceFiles(none, nil)
	if want := []text{{"README.md", "## License\n\nMIT\n\n## Author\n\nA. B.\n"}}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%q, %v, want %q", list, err, want)
	}
}

// TestLicence holds that a licence is that of the very version, and that none is an error.
func TestLicence(t *testing.T) {
	t.Parallel()
	bom := filepath.Join(t.TempDir(), "bom.json")
	if err := os.WriteFile(bom, []byte(`{"components": [{"name": "a.example/b", "version": "v1.0.0", "evidence": {"licenses": [{"license": {"id": "MIT"}}]}}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := readBOM(bom)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := licence(module{Path: "a.example/b", Version: "v1.0.0"}, found); got != "MIT" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := licence(module{Path: "a.example/b", Version: "v1.0.1"}, found); err == nil {
		t.Errorf("another version has the licence %q", got)
	}
}

// TestParse holds that what print writes can be taken apart again.
func TestParse(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	print(&b, []part{{"a@v1", "MIT", []text{{"LICENSE", "one\n"}}}, {"b@v2", "BSD-3-Clause", []text{{"LICENSE", "two\n"}, {"NOTICE", "three\n"}}}})
	got := parse(b.String())
	if len(got) != 2 || got[0].name != "a@v1" || got[1].licence != "BSD-3-Clause" || !strings.Contains(got[1].texts[0].content, "--- NOTICE\n\nthree\n") {
		t.Errorf("%q", got)
	}
}
