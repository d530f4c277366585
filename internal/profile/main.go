// Command profile makes cmd/rdmacap/default.pgo anew: what go build takes for the
// hot paths of rdmacap, so that it lays them out and inlines for them. It is a
// profile of check and read over two of the samples.
//
//	go run ./internal/profile
//
// An old profile does no harm, but knows nothing of functions that are new or were
// renamed: this is due before a release, and after the hot path has changed.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const profile = "cmd/rdmacap/default.pgo"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

// write runs the benchmark that stands for what people do, in the folder of
// go.mod, and keeps its profile.
func write() error {
	if _, err := os.Stat("go.mod"); err != nil {
		return fmt.Errorf("this is to be run where go.mod is: %w", err)
	}
	dir, err := os.MkdirTemp("", "profile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	raw := filepath.Join(dir, "profile")
	// Without the old profile, so that the new one does not depend on it.
	test := exec.Command("go", "test", "-pgo=off", "-run", "^$", "-bench", "^BenchmarkProfile$", "-benchtime", "12x",
		"-o", filepath.Join(dir, "test"), "-cpuprofile", raw, "./cmd/rdmacap")
	test.Stdout, test.Stderr = os.Stdout, os.Stderr
	if err := test.Run(); err != nil {
		return err
	}
	packed, err := os.ReadFile(raw)
	if err != nil {
		return err
	}
	if packed, err = withoutPaths(packed); err != nil {
		return err
	}
	return os.WriteFile(profile, packed, 0o644)
}
