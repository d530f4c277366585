package keep

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestFullFileSystem is TestDiskFull with a file system that is full.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("no file system can be mounted (it takes CAP_SYS_ADMIN): ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	r, said := open(t, Options{Dir: dir, Wait: true, Ring: &Limits{1e9, time.Hour, 10}})
	const size = 10_000
	n := uint32(0)
	for ; n < 300; n++ {
		give(t, r, frame(n, size, 0))
	}
	said.wait(t, "no space left on device")
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	for len(said.with("writing resumes")) == 0 {
		time.Sleep(100 * time.Millisecond)
		give(t, r, frame(n, 100, 0))
		if n++; n > 1000 {
			t.Fatalf("writing does not go on: %q", said.lines)
		}
	}
	r.Close()
	files := ringFiles(t, dir)
	got := read(t, files...)
	missing, at := uint32(0), uint32(0)
	for _, f := range got {
		if f.n != at {
			missing += f.n - at
			if !f.dropped {
				t.Errorf("before frame %d some are missing, and it does not say so", f.n)
			}
		}
		at = f.n + 1
	}
	t.Logf("%d of %d frames in %d files, %d missing", len(got), n, len(files), missing)
	if at != n || missing == 0 || len(said.with("! ")) != 3 {
		t.Errorf("up to frame %d; said: %q", at, said.lines)
	}
}
