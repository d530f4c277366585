package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// overlaid runs a test of a package of rules with files laid over it, and returns what it prints with -v.
func overlaid(t *testing.T, pkg, test string, files map[string]string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	over := make(map[string]string)
	for name, text := range files {
		path, err := filepath.Abs(filepath.Join(root, rulesDir, pkg, name))
		if err != nil {
			t.Fatal(err)
		}
		over[path] = filepath.Join(dir, name)
		if err := os.WriteFile(over[path], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": over})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-overlay", path, "-run", "^"+test+"$", "-v", "./"+rulesDir+"/"+pkg)
	run.Dir = root
	out, err := run.CombinedOutput()
	if err == nil && !strings.Contains(string(out), "--- PASS: "+test+"/") {
		err = fmt.Errorf("no sample was run")
	}
	return string(out), err
}
