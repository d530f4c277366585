package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/rules/document"
)

// repository returns a directory that has the families' directories, and one rule.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"hdr", "rpcs", "v2"} {
		if err := os.MkdirAll(filepath.Join(root, rulesDir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"hdr/hdr017.rule", "hdr/hdr017.go", "hdr/hdr003.go"} {
		if err := os.WriteFile(filepath.Join(root, rulesDir, name), []byte("written before"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// hookNamed returns the hook of a name.
func hookNamed(t *testing.T, name string) hook {
	t.Helper()
	h, err := hookOf(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestCreate reads what is created, as rulegen and the compiler do.
func TestCreate(t *testing.T) {
	for id, want := range map[string]string{"HDR-018": "hdr/hdr018", "RPC-014": "rpcs/rpcs014", "V2-011": "v2/v2011"} {
		root := repository(t)
		r, err := create(root, id, hookNamed(t, "message"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, rulesDir, want)
		text, err := os.ReadFile(path + ".rule")
		if err != nil {
			t.Fatal(err)
		}
		d, err := document.Parse(path, string(text))
		if err != nil {
			t.Fatal(err)
		}
		samples, err := d.Samples()
		if err != nil || d.ID != id || len(samples) != 2 || !strings.Contains(samples[0].Scene, "want "+id+"\n") {
			t.Errorf("the document of %s is of %s, with samples %+v, %v", id, d.ID, samples, err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path+".go", nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if function := filepath.Base(want); f.Name.Name != filepath.Dir(want) || f.Scope.Lookup(function) == nil || f.Scope.Lookup("message"+id[len(id)-3:]) == nil {
			t.Errorf("the check of %s is in package %s, with %v", id, f.Name.Name, f.Scope)
		}
		code, err := os.ReadFile(path + ".go")
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"000", "keleton"} {
			if strings.Contains(string(code)+string(text), left) {
				t.Errorf("the files of %s have %q", id, left)
			}
		}
		if steps := r.nextSteps(); !strings.Contains(steps, want+".rule") || !strings.Contains(steps, "./report/rules/"+filepath.Dir(want)+" ") {
			t.Errorf("the next steps are %s", steps)
		}
	}
}

// TestErrors requires that an error says what to do, and that no file is changed or left.
func TestErrors(t *testing.T) {
	for id, want := range map[string]string{
		"":         "HDR, DDP, CREDIT",
		"FOO-001":  "the families are HDR, DDP",
		"HDR-18":   "three digits, as in HDR-018",
		"HDR":      "three digits",
		"hdr-018":  "the families are",
		"HDR-017":  "hdr017.rule exists, and newrule overwrites nothing: choose another number; HDR-018 is free",
		"HDR-003":  "hdr003.go exists",
		"SYM-012":  "run newrule in the root of the repository",
		"HDR-018/": "three digits",
	} {
		root := repository(t)
		if _, err := create(root, id, hookNamed(t, "rpc")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", id, err, want)
		}
		files, err := filepath.Glob(filepath.Join(root, rulesDir, "*/*"))
		if err != nil || len(files) != 3 {
			t.Errorf("%q: the files are %v, %v", id, files, err)
		}
		for _, path := range files {
			if text, err := os.ReadFile(path); err != nil || string(text) != "written before" {
				t.Errorf("%q: %s was changed (%v)", id, path, err)
			}
		}
	}
}
