// Command release makes what a release has, in a folder: archives and packages of the program for
// all systems, what is in each (SBOM), and SHA256SUMS. The version is the one that Go stamps into
// the program, from the tag that is checked out; all times are those of the commit. The same
// commit, built with the same version of Go, makes the same files, wherever it is.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "dist", "the folder to write to, which must be empty or not there")
	only := flag.String("only", "", "only these targets, such as linux-amd64,linux-amd64-static")
	flag.Parse()
	if err := makeRelease(context.Background(), *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is what is being made.
type release struct {
	sources string // the folder of the repository
	out     string // where the files go
	scratch string // for what is made on the way
	tag     string // v0.7.0
	version string // 0.7.0
	when    time.Time
	beside  []file   // what archives have beside the program
	sums    []string // lines of SHA256SUMS
}

// makeRelease makes a release of the sources in the working directory.
func makeRelease(ctx context.Context, out, only string) (err error) {
	list, err := chosen(only)
	if err != nil {
		return err
	}
	r := &release{}
	if r.sources, err = os.Getwd(); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if there, err := os.ReadDir(r.out); err == nil && len(there) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if r.scratch, err = os.MkdirTemp("", "rdmacap-release-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.scratch)) }()
	if err := r.begin(ctx); err != nil {
		return err
	}
	for _, t := range list {
		begun := time.Now()
		if err := r.target(ctx, t); err != nil {
			return fmt.Errorf("%v: %w", t, err)
		}
		fmt.Fprintf(os.Stderr, "%v: %.1f s\n", t, time.Since(begun).Seconds())
	}
	slices.SortFunc(r.sums, func(a, b string) int { return strings.Compare(a[2*sha256.Size:], b[2*sha256.Size:]) }) // by name
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(r.sums, "")), plain)
}

// begin finds out the time and the version, and makes what all archives have. The program that
// prints it is built for this machine.
func (r *release) begin(ctx context.Context) error {
	seconds, err := r.output(ctx, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
	if err != nil {
		return err
	}
	r.when = time.Unix(n, 0).UTC()
	host, tag, err := r.build(ctx, target{runtime.GOOS, runtime.GOARCH, true})
	if err != nil {
		return err
	}
	if strings.Contains(tag, "+dirty") {
		return fmt.Errorf("there are changes that are not committed: %s", tag)
	}
	r.tag, r.version = tag, strings.TrimPrefix(tag, "v")
	r.beside, err = r.companions(ctx, host)
	return err
}

// target makes what there is of one target.
func (r *release) target(ctx context.Context, t target) error {
	path, tag, err := r.build(ctx, t)
	if err != nil {
		return err
	}
	if tag != r.tag {
		return fmt.Errorf("it is version %s, not %s", tag, r.tag)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	folder := "rdmacap-" + r.version + "-" + t.String()
	files := append([]file{{t.program(), data, program}}, r.beside...)
	pack, suffix := tarGz, ".tar.gz"
	if t.system == "windows" {
		pack, suffix = zipped, ".zip"
	}
	archive, err := pack(folder, files, r.when)
	if err != nil {
		return err
	}
	if err := r.publish(folder+suffix, archive); err != nil {
		return err
	}
	if err := r.bill(ctx, t, folder+".cdx.json"); err != nil || !t.packaged() {
		return err
	}
	return r.packages(ctx, t, path)
}

// publish writes a file of the release.
func (r *release) publish(name string, data []byte) error {
	r.sums = append(r.sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
	return os.WriteFile(filepath.Join(r.out, name), data, plain)
}
