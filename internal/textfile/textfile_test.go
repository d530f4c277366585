package textfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead: a file may have as many bytes as are allowed, and not one more.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, n := range []int{0, 1, 2048, 2049} {
		want := strings.Repeat("x", n)
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, 2048)
		switch {
		case n <= 2048 && (err != nil || got != want):
			t.Errorf("%d bytes: %d, %v", n, len(got), err)
		case n > 2048 && (err == nil || got != "" || !strings.HasSuffix(err.Error(), "is too long: such a file has at most 2 KiB")):
			t.Errorf("%d bytes: %d, %v", n, len(got), err)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), 1); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no /dev/zero here, which has no end")
	}
	if _, err := Read("/dev/zero", 1<<10); err == nil {
		t.Error("a device without end is read to it")
	}
}
