package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// TestNoVerbsIsStatic holds that a build with the tag noverbs starts anywhere, and that
// one without it needs a dynamic linker, as whoever copies it to a machine without
// glibc would find out.
func TestNoVerbsIsStatic(t *testing.T) {
	if !long.Tests {
		t.Skip("it links the program twice: run it with the tag long")
	}
	if runtime.GOOS != "linux" {
		t.Skip("programs have other headers here")
	}
	for _, c := range []struct {
		flags  []string
		static bool
	}{{nil, false}, {[]string{"-tags", "noverbs"}, true}} {
		path := filepath.Join(t.TempDir(), "rdmacap")
		build := exec.Command("go", append(append([]string{"build", "-o", path}, c.flags...), ".")...)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		f, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		needs := false
		for _, p := range f.Progs {
			needs = needs || p.Type == elf.PT_INTERP
		}
		if needs == c.static {
			t.Errorf("built with %q: it needs a dynamic linker: %t", c.flags, needs)
		}
		libraries, err := f.ImportedLibraries()
		if err != nil && !c.static || len(libraries) > 0 == c.static {
			t.Errorf("built with %q: it needs %q, %v", c.flags, libraries, err)
		}
		if out, err := exec.Command(path, "version").CombinedOutput(); err != nil {
			t.Errorf("built with %q: version: %v %s", c.flags, err, out)
		}
	}
}
