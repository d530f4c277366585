//go:build unix

package keep

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A dirLock keeps others from writing into a folder, until this process ends.
type dirLock struct{ dir *os.File }

func lockDir(dir string) (*dirLock, error) {
	f, err := openDir(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == unix.EWOULDBLOCK {
		f.Close()
		return nil, fmt.Errorf("%s: another rdmacap writes there", dir)
	}
	return &dirLock{f}, nil // where there are no locks, it goes without
}

func (l *dirLock) release() { l.dir.Close() }
