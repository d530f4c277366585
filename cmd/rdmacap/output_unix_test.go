//go:build unix

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

// TestOutputRights holds that what is made of captures is readable to nobody to whom one of
// them is not.
func TestOutputRights(t *testing.T) {
	whole := unpacked(t, "rxe-cb")
	for _, c := range []struct{ capture, file, folder fs.FileMode }{{0o600, 0o600, 0o700}, {0o640, 0o640, 0o750}, {0o644, 0o644, 0o755}} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		for name, mode := range map[string]fs.FileMode{"secret.pcap": c.capture, "open.pcap": 0o666} {
			if err := errors.Join(os.WriteFile(in(name), whole, 0o600), os.Chmod(in(name), mode), os.MkdirAll(in("kept"), 0o700)); err != nil {
				t.Fatal(err)
			}
		}
		must(t, "report", "-q", in("open.pcap"), in("secret.pcap"), "-o", in("page.html"))
		must(t, "annotate", "-q", in("secret.pcap"), "-o", in("copy.pcapng"))
		must(t, "export", "objects", "-q", in("secret.pcap"), "-o", in("objects"))
		if r := rdmacap("live", "-q", "-r", in("secret.pcap"), "--write", in("kept"), "--on-finding=note"); r.status == exitUnusable {
			t.Errorf("live: %+v", r)
		}
		n := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == dir || strings.HasSuffix(path, ".pcap") || path == in("kept") {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := c.file
			if d.IsDir() {
				want = c.folder
			}
			n++
			if more := info.Mode().Perm() &^ want; more != 0 {
				t.Errorf("of a capture with %04o: %s has %v", c.capture, path, info.Mode())
			}
			return nil
		})
		if err != nil || n < 6 {
			t.Errorf("%v, %d files and folders", err, n)
		}
	}
}

// TestOutputAppears holds that a file that appears while the output is written is not replaced
// unless that was asked for, and that a killed run's temporary file goes.
func TestOutputAppears(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	for _, force := range []bool{false, true} {
		orphan, err := newfile.Create(path, newfile.All)
		if err != nil {
			t.Fatal(err)
		}
		orphan.Close() // and no more: as if its process was killed
		out, err := (&outputOptions{output: path, force: force}).open(streams{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = out.write(func(w io.Writer) error {
			if err := os.WriteFile(path, []byte("other"), 0o600); err != nil {
				return err
			}
			_, err := io.WriteString(w, "ours")
			return err
		})
		want := "other"
		if force {
			want = "ours"
		}
		if !force && (err == nil || err.Error() != path+" was created meanwhile: --force replaces it") || force && err != nil {
			t.Errorf("force %v: %v", force, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("force %v: %q, %v", force, got, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("force %v: the folder has %v (%v)", force, left, err)
		}
		os.Remove(path)
	}
}
