package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// environment is that of commands, without what would make another program of the same sources
// on another machine.
func environment(set ...string) []string {
	var env []string
	for _, x := range os.Environ() {
		switch name, _, _ := strings.Cut(x, "="); name {
		case "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOEXPERIMENT", "GOFIPS140", "CGO_ENABLED", "GOWORK":
		default:
			env = append(env, x)
		}
	}
	return append(append(env, "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off", "CGO_ENABLED=0", "LC_ALL=C.UTF-8"), set...)
}

// environment is the one for tools that look at what is built for a target.
func (t target) environment() []string {
	flags := "-trimpath"
	if t.static {
		flags += " -tags=noverbs"
	}
	return environment("GOOS="+t.system, "GOARCH="+t.processor, "GOFLAGS="+flags)
}

// build builds the program for a target in a folder, and returns its path and the version that
// Go stamped into it. CGO_ENABLED=0 also without noverbs: purego has the dynamic linker load libc
// and libdl without a C compiler, which would be another one on each machine.
func (r *release) build(ctx context.Context, t target) (path, version string, err error) {
	path = filepath.Join(r.scratch, t.String(), t.program())
	err = r.run(ctx, t.environment(), "go", "build", "-buildvcs=true", "-ldflags=-w", "-pgo=cmd/rdmacap/rdmacap.pgo", "-o", path, "./cmd/rdmacap")
	if err != nil {
		return "", "", err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	return path, info.Main.Version, nil
}

// run runs a command in the sources, with what it prints for people.
func (r *release) run(ctx context.Context, env []string, command ...string) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env, c.Stdout, c.Stderr = r.sources, env, os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return nil
}

// output returns what a command prints, run in the sources.
func (r *release) output(ctx context.Context, command ...string) (string, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env, c.Stderr = r.sources, environment(), os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return string(out), nil
}
