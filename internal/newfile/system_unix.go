//go:build unix

package newfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// Flags for os.OpenFile, 0 where a system has none: NoFollow has a symbolic link in place of
// the file be an error, NoWait has no FIFO or device in place of it be waited for.
const (
	NoFollow = unix.O_NOFOLLOW
	NoWait   = unix.O_NONBLOCK
)

const movesOpen = true // a file that is open can be given another name

// lock keeps others from a lock on the file until it is closed, or its process has ended.
func lock(f *os.File) locking { return lockingOf(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)) }

// lockingOf reads what flock returns: ENOSYS, ENOLCK, EOPNOTSUPP and others where it does not work.
func lockingOf(err error) locking {
	switch err {
	case nil:
		return gotLock
	case unix.EWOULDBLOCK:
		return heldLock
	}
	return noLocks
}
