//go:build unix

package newfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path, All)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCommit holds that a file has its name when it is whole, replaces another only where it
// may, and leaves nothing else.
func TestCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		if list := names(t, dir); !slices.Equal(list, []string{"out"}) {
			t.Errorf("the folder has %q", list)
		}
	}
	f := begin(t, path, "first")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the name is there before the file is whole: %v", err)
	}
	if err := f.Commit(false); err != nil {
		t.Fatal(err)
	}
	holds("first")
	if err := begin(t, path, "second").Commit(false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	holds("first")
	if err := begin(t, path, "third").Commit(true); err != nil {
		t.Error(err)
	}
	holds("third")
	begin(t, path, "fourth").Discard()
	holds("third")
	// A link is replaced, and not written through.
	target := filepath.Join(t.TempDir(), "target")
	put(t, target, "target")
	if err := errors.Join(os.Remove(path), os.Symlink(target, path)); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, path, "fifth").Commit(false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the link is replaced: %v", err)
	}
	holds("target")
	if err := begin(t, path, "sixth").Commit(true); err != nil {
		t.Error(err)
	}
	holds("sixth")
	if got, err := os.ReadFile(target); err != nil || string(got) != "target" {
		t.Errorf("behind the link: %q, %v", got, err)
	}
}

// TestMoveNew holds the way without hard links: a folder cannot have one.
func TestMoveNew(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.Mkdir(from, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := moveNew(from, to); err == nil {
		t.Error("a folder took the place of a file")
	}
	if list := names(t, dir); !slices.Equal(list, []string{"from"}) {
		t.Errorf("what kept the name stays: %q", list)
	}
	put(t, to, "there")
	if err := moveNew(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
}

// TestOrphans holds that files of killed runs go, and nothing else does: not those of runs that
// go on, or on other hosts, nor what only has such a name.
func TestOrphans(t *testing.T) {
	dir := t.TempDir()
	going := begin(t, filepath.Join(dir, "going"), "on")
	defer going.Discard()
	ours := temporaryPrefix()
	orphan, link, fifo, folder := ours+"0000000000000001.tmp", ours+"0000000000000002.tmp", ours+"0000000000000003.tmp", ours+"0000000000000004.tmp"
	elsewhere := ".rdmacap-00000000" + "0000000000000001.tmp"
	if strings.HasPrefix(elsewhere, ours) {
		elsewhere = ".rdmacap-00000001" + "0000000000000001.tmp"
	}
	others := []string{elsewhere, ours + "1.tmp", ours + "0000000000000001.tmp~", "x" + ours + "0000000000000001.tmp", ours[1:] + "0000000000000001.tmp"}
	for _, name := range append(others, orphan) {
		put(t, filepath.Join(dir, name), "x")
	}
	if err := errors.Join(os.Symlink(others[0], filepath.Join(dir, link)), unix.Mkfifo(filepath.Join(dir, fifo), 0o600),
		os.Mkdir(filepath.Join(dir, folder), 0o700)); err != nil {
		t.Fatal(err)
	}
	next := begin(t, filepath.Join(dir, "next"), "")
	defer next.Discard()
	want := append(others, link, fifo, folder, filepath.Base(going.Name()), filepath.Base(next.Name()))
	slices.Sort(want)
	if list := names(t, dir); !slices.Equal(list, want) {
		t.Errorf("the folder has\n%q, want\n%q", list, want)
	}
	if err := going.Commit(false); err != nil {
		t.Error(err)
	}
}

// TestLocking holds that only a lock that was got is one: where flock does not work, a file may be
// written by another host now.
func TestLocking(t *testing.T) {
	for err, want := range map[error]locking{
		nil: gotLock, unix.EWOULDBLOCK: heldLock, unix.ENOSYS: noLocks, unix.ENOLCK: noLocks, unix.EOPNOTSUPP: noLocks,
	} {
		if got := lockingOf(err); got != want {
			t.Errorf("%v: %d, want %d", err, got, want)
		}
	}
}

// TestRights holds what a file gives to whom.
func TestRights(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ capture, file, folder fs.FileMode }{
		{0o600, 0o600, 0o700}, {0o400, 0o600, 0o700}, {0o640, 0o640, 0o750}, {0o644, 0o644, 0o755}, {0o666, 0o666, 0o777},
		{0o604, 0o604, 0o705}, {0o000, 0o600, 0o700}, {0o777, 0o666, 0o777},
	} {
		path := filepath.Join(dir, "capture")
		put(t, path, "")
		if err := os.Chmod(path, c.capture); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if file := Limit(All, info); file != c.file || Folder(file) != c.folder {
			t.Errorf("of a capture with %04o: %04o and %04o, want %04o and %04o", c.capture, file, Folder(file), c.file, c.folder)
		}
		os.Remove(path)
	}
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := Limit(All, info); got != 0o600 {
		t.Errorf("of captures in a folder: %04o", got)
	}
}
