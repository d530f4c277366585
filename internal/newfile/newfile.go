// Package newfile makes files of what was captured: nobody may read them who may not read the
// captures, and they are there when they are whole, or not at all.
package newfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// All are the rights of a file before anything limits them; the umask does in any case.
const All fs.FileMode = 0o666

// Limit takes from rights what a capture does not give to its group and to others. A folder
// says nothing of the captures in it: what is made of them is for the owner alone.
func Limit(rights fs.FileMode, capture fs.FileInfo) fs.FileMode {
	const owner = 0o600
	if capture.IsDir() {
		return rights & owner
	}
	return rights & (capture.Mode().Perm() | owner)
}

// Folder are the rights of a folder of files with such rights.
func Folder(rights fs.FileMode) fs.FileMode { return rights | rights&0o444>>2 }

// What became of the wish to lock a file.
type locking int

const (
	gotLock  locking = iota
	heldLock         // another has it
	noLocks          // files cannot be locked here
)

// A File is written under another name, in the folder where it will be.
type File struct {
	*os.File
	path string
}

// Create begins a file, and removes what runs that were killed left in its folder on this host. No
// link is followed, and nothing that exists is written to.
func Create(path string, rights fs.FileMode) (*File, error) {
	dir := filepath.Dir(path)
	removeOrphans(dir)
	for tries := 0; ; tries++ {
		f, err := os.OpenFile(filepath.Join(dir, temporaryName()), os.O_RDWR|os.O_CREATE|os.O_EXCL|NoFollow, rights)
		if err != nil {
			if errors.Is(err, fs.ErrExist) && tries < 10 {
				continue
			}
			return nil, err
		}
		// Until it is locked, another run takes it for one of a run that was killed. Where files
		// cannot be locked, none does.
		if lock(f) == heldLock || !isAt(f, f.Name()) {
			f.Close()
			if tries < 10 {
				continue
			}
			return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: fs.ErrNotExist}
		}
		return &File{f, path}, nil
	}
}

// Commit has the file on the disk and gives it its name, in place of a file that has it or, if
// none may be replaced, where there is none: else the error is fs.ErrExist. It closes the file,
// and with an error removes it.
func (f *File) Commit(replace bool) (err error) {
	defer func() {
		f.Close() // mostly it is closed
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = f.Sync(); err != nil {
		return err
	}
	if !movesOpen {
		if err = f.Close(); err != nil {
			return err
		}
	}
	if replace {
		err = os.Rename(f.Name(), f.path)
	} else {
		err = moveNew(f.Name(), f.path)
	}
	if err == nil {
		SyncDir(filepath.Dir(f.path))
	}
	return err
}

// Discard removes the file.
func (f *File) Discard() {
	os.Remove(f.Name())
	f.Close()
	if !movesOpen {
		os.Remove(f.Name())
	}
}

// moveNew gives a file another name that none has.
func moveNew(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// There are no links on this file system: an empty file takes the name first.
	empty, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL|NoFollow, 0o600)
	if err != nil {
		return err
	}
	empty.Close()
	if err = os.Rename(from, to); err != nil {
		os.Remove(to)
	}
	return err
}

// SyncDir has the names in a folder on the disk, where folders can be synced.
func SyncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync() // where they cannot, nothing can be done
		f.Close()
	}
}

// temporaryName is one that nobody guesses, of a fixed length: the file's own may be as long
// as names can be.
func temporaryName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return temporaryPrefix() + hex.EncodeToString(b[:]) + ".tmp"
}

// temporaryPrefix is what the names begin with that runs on this host make. Many hosts may write to
// one folder, and not every file system tells each of the locks of the others: Lustre and NFS can be
// mounted so that only those of this host count.
func temporaryPrefix() string {
	name, _ := os.Hostname() // without one, all such hosts are one
	sum := sha256.Sum256([]byte(name))
	return ".rdmacap-" + hex.EncodeToString(sum[:4])
}

var temporary = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.rdmacap-[0-9a-f]{24}\.tmp$`) })

// removeOrphans removes temporary files of this host that no process has locked: whoever made them
// was killed.
func removeOrphans(dir string) {
	prefix := temporaryPrefix()
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1) // those that can be read
	folder.Close()
	for _, name := range names {
		if strings.HasPrefix(name, prefix) && temporary().MatchString(name) {
			removeOrphan(filepath.Join(dir, name))
		}
	}
}

func removeOrphan(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|NoFollow|NoWait, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && lock(f) == gotLock && isAt(f, path) {
		os.Remove(path)
	}
}

// isAt reports whether the file has that name.
func isAt(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}
