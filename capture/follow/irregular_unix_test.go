//go:build unix

package follow

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/capture"
)

// TestIrregular holds that of a folder nothing but regular files is opened, also where another
// took the name of one after the folder was listed: a FIFO would be waited for, and a link leads
// out of the folder.
func TestIrregular(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.pcap")
	if err := os.WriteFile(secret, []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x01\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(unix.Mkfifo(in("fifo"), 0o600), os.Symlink(secret, in("link")), os.Symlink("/dev/zero", in("device")),
		os.Mkdir(in("folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	close(done)
	d := NewFolder(dir, 0, Until{Done: done, Err: io.EOF})
	if list, err := d.list(); len(list) > 0 || err != nil {
		t.Errorf("%v, %v are listed", list, err)
	}
	for i, name := range []string{"fifo", "link", "device", "folder"} {
		if err := d.start(written{name: name}); err != nil || d.current != nil || d.file != nil {
			t.Errorf("%s is opened: %v", name, err)
		}
		if len(d.faults) != i+1 || !strings.HasPrefix(d.faults[i].Error(), in(name)+": ") {
			t.Fatalf("%s: the faults are %v", name, d.faults)
		}
		var fault *capture.Error
		if !errors.As(d.faults[i], &fault) || fault.File != in(name) {
			t.Errorf("%s: %v", name, d.faults[i])
		}
	}
}
