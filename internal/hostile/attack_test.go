//go:build long && linux

package hostile

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestAttacks runs the program on captures that once made it use gigabytes, or run for minutes,
// and on the generated ones at four times their sizes. It must end by itself, with an exit status
// of its own, and within its memory.
func TestAttacks(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "rdmacap")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/rdmacap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shipped, err := filepath.Glob("../../samples/attack/*.pcap.zst")
	if err != nil || len(shipped) < 6 {
		t.Fatalf("%d captures, %v", len(shipped), err)
	}
	for _, packed := range shipped {
		name := strings.TrimSuffix(filepath.Base(packed), ".pcap.zst")
		t.Run(name, func(t *testing.T) {
			attack(t, program, packed)
			if path := unpacked(t, packed); path != "" {
				attack(t, program, path)
			}
		})
	}
	for _, in := range Inputs() {
		t.Run(in.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), in.Name+".pcap")
			if err := in.Write(path, 4*in.Size); err != nil {
				t.Fatal(err)
			}
			attack(t, program, path, "check", "read", "stats")
		})
	}
}

// attack runs commands on a capture, all if none is named.
func attack(t *testing.T, program, capture string, names ...string) {
	t.Helper()
	for _, c := range Commands() {
		if len(names) > 0 && !slices.Contains(names, c.Name) {
			continue
		}
		cost, wrong := c.Run(t.Context(), program, capture, t.TempDir())
		for _, w := range wrong {
			t.Error(w)
		}
		t.Logf("%-8s %4d MiB %6.2f s, status %d: %s", c.Name, cost.Peak/mib, cost.CPU.Seconds(), cost.Exit, filepath.Base(capture))
	}
}

// unpacked is a shipped capture without its compression, "" where the program does not unpack
// it either.
func unpacked(t *testing.T, packed string) string {
	t.Helper()
	in, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	path := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(packed), ".zst"))
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, z); errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return ""
	} else if err != nil {
		t.Fatal(err)
	}
	return path
}
