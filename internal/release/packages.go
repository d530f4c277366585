package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// nfpm is the program that makes Debian and RPM packages.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

// An entry is a file of a package, as nfpm wants it.
type entry struct {
	Source      string   `json:"src,omitempty"`
	Destination string   `json:"dst"`
	Type        string   `json:"type,omitempty"`
	Packager    string   `json:"packager,omitempty"`
	Info        fileInfo `json:"file_info"`
}

type fileInfo struct {
	Mode  int64  `json:"mode"`
	Owner string `json:"owner"`
	Group string `json:"group"`
	MTime string `json:"mtime"`
}

// packages makes the packages of a program.
func (r *release) packages(ctx context.Context, t target, built string) error {
	tool, err := r.tool(ctx, nfpm)
	if err != nil {
		return err
	}
	contents, err := r.contents(t, built)
	if err != nil {
		return err
	}
	// JSON is YAML, which nfpm reads.
	config, err := json.Marshal(r.describe(t, contents))
	if err != nil {
		return err
	}
	configFile := filepath.Join(r.scratch, t.String(), "nfpm.json")
	if err := os.WriteFile(configFile, config, plain); err != nil {
		return err
	}
	rpmArch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.processor]
	for _, name := range []string{
		fmt.Sprintf("rdmacap_%s-1_%s.deb", r.packageVersion(), t.processor),
		fmt.Sprintf("rdmacap-%s-1.%s.rpm", r.packageVersion(), rpmArch),
	} {
		kind := strings.TrimPrefix(path.Ext(name), ".")
		to := filepath.Join(r.scratch, t.String(), name)
		env := environment(fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.when.Unix()))
		if err := r.run(ctx, env, tool, "package", "--config", configFile, "--packager", kind, "--target", to); err != nil {
			return err
		}
		data, err := os.ReadFile(to)
		if err != nil {
			return err
		}
		if err := r.publish(name, data); err != nil {
			return err
		}
	}
	return nil
}

// packageVersion is the version as both kinds of packages order it: 0.7.0~rc.1 is before 0.7.0,
// and a hyphen would begin the number of the package.
func (r *release) packageVersion() string {
	return strings.ReplaceAll(strings.Replace(r.version, "-", "~", 1), "-", ".")
}

// describe is what nfpm is told of a package.
func (r *release) describe(t target, contents []entry) map[string]any {
	return map[string]any{
		"name": "rdmacap", "arch": t.processor, "platform": t.system,
		"version": r.packageVersion(), "version_schema": "none", "release": "1",
		"section": "net", "priority": "optional", "mtime": r.when.Format(time.RFC3339),
		"maintainer": maintainer, "vendor": "rdmacap", "license": "Apache-2.0",
		"homepage":    "https://github.com/rdmacap/rdmacap",
		"description": does + "\n" + description,
		"umask":       0o022,
		"contents":    contents,
		"overrides": map[string]any{
			// The program starts without these libraries, and loads them for RDMA devices.
			"deb": map[string]any{"depends": []string{"libc6"}, "recommends": []string{"libibverbs1", "librdmacm1", "ibverbs-providers"}, "suggests": []string{"bash-completion"}},
			"rpm": map[string]any{"depends": []string{"glibc"}, "recommends": []string{"libibverbs", "librdmacm"}},
		},
		"rpm": map[string]any{"summary": strings.ToUpper(does[:1]) + does[1:], "group": "Applications/Internet", "buildhost": "localhost", "compression": "gzip:9"},
		"deb": map[string]any{"compression": "xz"},
	}
}

// maintainer is who packages say made them.
const maintainer = "rdmacap maintainers <rdmacap@users.noreply.github.com>"

// description is what packages say at more length.
const description = `rdmacap lists the RPCs in captures of NFS over RDMA (RoCE, InfiniBand,
iWARP), every message, frame, field and byte below them, and checks them
against the specifications. It also analyses traffic live, writes HTML
reports and replays captured calls to a server.`
