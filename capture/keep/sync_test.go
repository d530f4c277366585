//go:build unix

package keep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// syncedFile asks before it is brought to the disk.
type syncedFile struct {
	file
	sync func() error
}

func (s *syncedFile) Sync() error { return s.sync() }

// TestRingSynced holds that a file of the ring has its name only when it is on the disk, and that
// the next one is written meanwhile.
func TestRingSynced(t *testing.T) {
	dir := t.TempDir()
	syncing, release, written := make(chan bool, 1), make(chan bool), make(chan string, 1000)
	r, _ := open(t, Options{Dir: dir, Ring: &Limits{Size: 120_000, Age: time.Hour, Count: 5}, Wait: true, create: func(path string) (file, error) {
		written <- filepath.Base(path)
		f, err := new(Options).newFile(path)
		return &syncedFile{f, func() error {
			select {
			case syncing <- true:
			default:
			}
			<-release
			return f.Sync()
		}}, err
	}})
	for n := range uint32(150) { // a file, and less than another
		give(t, r, frame(n, 1000, time.Duration(n)*time.Millisecond))
	}
	first := <-written
	<-syncing
	if second := <-written; second <= first {
		t.Errorf("%s behind %s", second, first)
	}
	if _, err := os.Stat(filepath.Join(dir, strings.TrimSuffix(first, marked))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s has its name before it is on the disk: %v", first, err)
	}
	close(release)
	r.Close()
	if list := inDir(t, dir); len(list) < 2 || strings.HasSuffix(strings.Join(list, ""), marked) {
		t.Errorf("the folder has %q, want files that are whole", list)
	}
}

// TestRingNotSynced holds that a file that could not be brought to the disk stays marked, which
// is told.
func TestRingNotSynced(t *testing.T) {
	dir := t.TempDir()
	r, said := open(t, Options{Dir: dir, Ring: &Limits{Size: 120_000, Age: time.Hour, Count: 5}, Wait: true, create: func(path string) (file, error) {
		f, err := new(Options).newFile(path)
		return &syncedFile{f, func() error { return errors.New("the disk is gone") }}, err
	}})
	give(t, r, frame(0, 100, 0))
	r.Close()
	if list := inDir(t, dir); len(list) != 1 || !strings.HasSuffix(list[0], marked) || len(said.with("stays marked as incomplete")) != 1 {
		t.Errorf("the folder has %q; said: %q", list, said.lines)
	}
}

// TestRights holds who may read what is kept: no more than the capture that it comes from gives
// them.
func TestRights(t *testing.T) {
	for rights, want := range map[fs.FileMode]fs.FileMode{0: 0o640, 0o600: 0o600, 0o666: 0o640} {
		dir := t.TempDir()
		evidence := Evidence{Around: Around{Before: time.Second, After: time.Second, Memory: 1 << 20}, Count: 3, Make: func(*Clip) error { return errors.New("only frames") }}
		r, _ := open(t, Options{Dir: dir, Rights: rights, Wait: true, Ring: &Limits{Size: 120_000, Age: time.Hour, Count: 5}, Evidence: &evidence})
		give(t, r, frame(0, 100, 0))
		r.Occur(Trigger{Rule: "DDP-001", Time: start, Reported: start})
		r.Close()
		files, folders := 0, 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == dir {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			limit := want
			if d.IsDir() {
				folders++
				limit |= limit & 0o444 >> 2
			} else {
				files++
			}
			if more := info.Mode().Perm() &^ limit; more != 0 {
				t.Errorf("with %04o, %s has %v", rights, path, info.Mode())
			}
			return nil
		})
		if err != nil || files < 2 || folders < 1 {
			t.Errorf("%v, %d files, %d folders", err, files, folders)
		}
	}
}

// TestProbe holds that trying whether a folder can be written to follows no link that somebody put there.
func TestProbe(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
	// The name was known before: .rdmacap-PID.probe.
	for _, name := range []string{"probe", ".probe", ".rdmacap-" + strconv.Itoa(os.Getpid()) + ".probe"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r, _ := open(t, Options{Dir: dir, Ring: &Limits{Size: 120_000, Age: time.Hour, Count: 5}})
	r.Close()
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link was followed: %v", err)
	}
	if list := inDir(t, dir); len(list) != 3 {
		t.Errorf("the folder has %q", list)
	}
}
