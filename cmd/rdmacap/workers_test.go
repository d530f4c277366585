package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestWorkersPrintTheSame holds that what is printed does not depend on how many workers
// follow the connections: of samples, of two merged, and of damaged variants.
func TestWorkersPrintTheSame(t *testing.T) {
	t.Parallel()
	names := long.Pick([]string{"rxe-cb", "siw-cb"}, []string{
		"fallback-iwarp", "fallback-roce", "rxe-acl", "rxe-basic", "rxe-cb", "rxe-ipv6", "rxe-krb", "rxe-loss", "rxe-perftest", "rxe-thresh",
		"siw-basic", "siw-cb", "siw-loss", "siw-perftest", "version2-iwarp", "version2-roce",
	})
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			printTheSame(t, long.Pick([]int{3}, []int{2, 3, 8, 16}), sample(name))
			for _, path := range damaged(t, name) {
				printTheSame(t, []int{3}, path)
			}
		})
	}
	two := long.Pick([]string{sample("rxe-cb"), sample("siw-cb")}, []string{sample("rxe-perftest"), sample("siw-perftest")})
	t.Run("two captures", func(t *testing.T) { printTheSame(t, []int{3}, two...) })
}

// damaged are files with some variants of a sample: all would take a quarter of an hour.
func damaged(t *testing.T, name string) (paths []string) {
	t.Helper()
	file, err := capture.Open(sample(name), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	whole, err := damage.Record(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range damage.Variants() {
		if i%long.Pick(12, 4) != 1 {
			continue
		}
		paths = append(paths, filepath.Join(t.TempDir(), v.Name+".pcap"))
		writeVariant(t, paths[len(paths)-1], whole, v, damage.Random(name, v.Name, 1))
	}
	return paths
}

func writeVariant(t *testing.T, path string, whole *damage.Capture, v damage.Variant, chance *rand.Rand) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := build.WritePcapOf(f, uint32(whole.Link), v.Of(whole, chance)); err != nil {
		t.Fatal(err)
	}
}

// tookTime is the time that a run took.
var tookTime = patterns{regexp.MustCompile(`(?s)captured,\s+read\s+in.*`), regexp.MustCompile(`"elapsed_seconds":[0-9.]+`)}

func printTheSame(t *testing.T, counts []int, paths ...string) {
	t.Helper()
	for _, command := range []string{
		"check", "check --format ndjson", "check --format json", "check --format sarif", "check --rules -SEC --format ndjson",
		"read", "read --format ndjson", "read --format json", "read -V --format ndjson -Y rpc.complete==false", "read -x -Y rpc.latency>100us",
		"read --level message", "read --level message -Y rdma.credits>2 --format json", "read --level message -V -Y connection==2",
		"read --level frame", "read --level frame --format json", "read --level frame -x -Y frame.note", "stats", "stats --format ndjson", "annotate",
		"report", "report --max-size 380kB --rules -SEC",
	} {
		if command == "annotate" && len(paths) > 1 {
			continue // a copy is of one capture
		}
		run := func(workers int) result {
			args := append(append(strings.Fields(command), "--workers", fmt.Sprint(workers)), paths...)
			copied := filepath.Join(t.TempDir(), "copy.pcapng")
			writes := command == "annotate" || strings.HasPrefix(command, "report")
			if writes {
				args = append(args, "--quiet", "-o", copied)
			}
			r := rdmacap(args...)
			if writes {
				made, err := os.ReadFile(copied)
				if err != nil {
					t.Fatal(err)
				}
				r.out += string(made)
			}
			r.out = tookTime.removedFrom(r.out)
			return r
		}
		want := run(1)
		if want.status == exitUnusable {
			t.Fatalf("%s %v: %+v", command, paths, want)
		}
		for _, workers := range counts {
			if got := run(workers); got != want {
				t.Errorf("%s --workers %d %v: status %d, %q; one worker: %d, %q; %s", command, workers, paths, got.status, got.err, want.status, want.err, differing(got.out, want.out))
			}
		}
	}
}

// differing shows the first lines that differ.
func differing(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}
