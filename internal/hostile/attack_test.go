//go:build long && linux

package hostile

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// What a run may take. How much memory a process has at most depends little on what else the
// machine does; the processor time is a few times what is used on a machine that is busy.
const (
	mib        = 1 << 20
	mostMemory = 96 * mib // of check, read and stats: docs/security.md
	mostPage   = 256 * mib
	mostTime   = time.Minute
)

// A command is run on hostile captures.
type command struct {
	args []string // CAPTURE and DIR stand for files
	most int64    // bytes of memory
}

func commands() map[string]command {
	return map[string]command{
		"check":    {strings.Fields("check --workers 2 CAPTURE"), mostMemory},
		"read":     {strings.Fields("read --workers 2 CAPTURE"), mostMemory},
		"stats":    {strings.Fields("stats --workers 2 CAPTURE"), mostMemory},
		"report":   {strings.Fields("report --workers 2 CAPTURE --force -o DIR/page.html"), mostPage},
		"annotate": {strings.Fields("annotate --workers 2 CAPTURE --force -o DIR/annotated.pcapng"), mostPage},
		"three":    {strings.Fields("check --workers 2 CAPTURE CAPTURE CAPTURE"), mostMemory},
		"live":     {strings.Fields("live -r CAPTURE --write DIR --on-finding=note --memory 256MiB --quiet"), mostPage},
		"export":   {strings.Fields("export objects CAPTURE -o DIR/objects"), mostPage},
		"replay":   {strings.Fields("replay CAPTURE --connection 1 --to 127.0.0.1 --bind --yes --dry-run --memory 64MiB"), mostPage},
		"listen":   {strings.Fields("replay CAPTURE --connection 1 --listen 127.0.0.1:20049 --dry-run --memory 64MiB"), mostPage},
		"verbatim": {strings.Fields("replay CAPTURE --connection 1 --to 127.0.0.1 --verbatim --yes --dry-run --memory 64MiB"), mostPage},
	}
}

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
	all := commands()
	if len(names) == 0 {
		for name := range all {
			names = append(names, name)
		}
	}
	for _, name := range names {
		c := all[name]
		with := strings.NewReplacer("CAPTURE", capture, "DIR", t.TempDir())
		var args []string
		for _, a := range c.args {
			args = append(args, with.Replace(a))
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // for a run that does not end
		cost, err := Run(ctx, program, args...)
		cancel()
		if err != nil || cost.Exit < 0 || cost.Exit > 2 || strings.Contains(string(cost.Diag), "panic") {
			t.Errorf("%v: %v, exit status %d: %s", args, err, cost.Exit, cost.Diag)
		}
		if strings.Contains(string(cost.Diag), "--help") {
			t.Errorf("%v: the command line is refused: %s", args, cost.Diag)
		}
		if cost.Peak > c.most {
			t.Errorf("%v: %d MiB of memory, and %d are allowed", args, cost.Peak/mib, c.most/mib)
		}
		if cost.CPU > mostTime {
			t.Errorf("%v: %v of processor time", args, cost.CPU)
		}
		t.Logf("%-8s %4d MiB %6.2f s, status %d: %s", name, cost.Peak/mib, cost.CPU.Seconds(), cost.Exit, filepath.Base(capture))
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
