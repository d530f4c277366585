//go:build unix

package keep

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/long"
)

// killedLimits are those of TestKilled.
func killedLimits() *Limits { return &Limits{Size: 400_000, Age: time.Hour, Count: 6} }

// TestKilled kills a process that keeps, again and again, at any moment: what it leaves is
// whole or marked, and never more than it may be.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	whole, cut := 0, 0
	for round := range long.Pick(15, 200) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKeepsUntilKilled$")
		cmd.Env = append(os.Environ(), "KEEP_UNTIL_KILLED="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		for round == 0 && !slices.ContainsFunc(ringFiles(t, dir), isWhole) { // so that there is one
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(40 * time.Millisecond))))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed

		var size int64
		files := ringFiles(t, dir)
		for _, path := range files {
			if info, err := os.Stat(path); err == nil {
				size += info.Size()
			}
			if isWhole(path) {
				whole += len(read(t, path)) // or fails
			} else if !upToACut(t, path) {
				cut++
			}
		}
		if l := killedLimits(); size > l.Bytes() || len(files) > l.Count {
			t.Errorf("%d bytes in %d files", size, len(files))
		}
		folders, _ := filepath.Glob(filepath.Join(dir, "finding-*"))
		for _, path := range folders {
			names := inDir(t, path)
			if !strings.HasSuffix(path, marked) && (len(names) != 1 || len(read(t, filepath.Join(path, names[0]))) == 0) {
				t.Errorf("%s has %q", path, names)
			}
		}
		if len(folders) > 3 {
			t.Errorf("%d folders", len(folders))
		}
	}
	t.Logf("%d frames in whole files, %d marked files end in the middle of a frame", whole, cut)
	if whole == 0 {
		t.Error("no file was whole: this shows nothing")
	}
}

// isWhole reports whether a file is named as one that was written to its end.
func isWhole(path string) bool { return !strings.HasSuffix(path, marked) }

// upToACut reads a marked file, and reports whether it ends with a whole frame. It fails
// where a file is anything but cut.
func upToACut(t *testing.T, path string) bool {
	t.Helper()
	f, err := capture.Open(path, 0)
	if err != nil {
		info, bad := os.Stat(path)
		if bad != nil || info.Size() > 200 {
			t.Error(err)
		}
		return false // in its header
	}
	defer f.Close()
	for {
		var x capture.Frame
		if err := f.Next(&x); err == io.EOF {
			return true
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			return false
		} else if err != nil {
			t.Error(err)
			return false
		}
	}
}

// TestKeepsUntilKilled is what TestKilled runs.
func TestKeepsUntilKilled(t *testing.T) {
	dir := os.Getenv("KEEP_UNTIL_KILLED")
	if dir == "" {
		t.Skip("TestKilled runs it")
	}
	e := new(excerpts)
	r, _ := gathering(t, e, Options{Dir: dir, Ring: killedLimits(), Evidence: &Evidence{Around: Around{time.Second, 0, 1 << 20}, Count: 3}})
	os.Stdout.WriteString("x")
	for n := uint32(0); ; n++ {
		give(t, r, frame(n, 200+int(n%500), time.Duration(n)*time.Millisecond))
		if n%2000 == 0 {
			r.Occur(occasion("DDP-001", int(n), int64(n)/100))
		}
	}
}
