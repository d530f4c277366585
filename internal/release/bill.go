package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// cyclonedx is the program that lists what ours is made of.
const cyclonedx = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// bill writes the software bill of materials of a target: the modules in the program, their
// versions, hashes and licences. It has neither time nor serial number, so that it can be
// reproduced.
func (r *release) bill(ctx context.Context, t target, name string) error {
	tool, err := r.tool(ctx, cyclonedx)
	if err != nil {
		return err
	}
	path := filepath.Join(r.scratch, name)
	err = r.run(ctx, t.environment(), tool, "app", "-json", "-licenses", "-std", "-noserial", "-notimestamp", "-main", "cmd/rdmacap", "-output", path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return r.publish(name, data)
}

// tool builds a program of others for this machine, once, and returns its path. It is not in
// go.mod: what a release needs, who uses our packages does not.
func (r *release) tool(ctx context.Context, module string) (string, error) {
	folder := filepath.Join(r.scratch, "tools")
	name, _, _ := strings.Cut(module, "@")
	path := filepath.Join(folder, filepath.Base(name))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, r.run(ctx, environment("GOFLAGS=-trimpath", "GOBIN="+folder), "go", "install", module)
}
