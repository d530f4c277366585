//go:build !unix

package newfile

import "os"

// Flags for os.OpenFile, 0 where a system has none: NoFollow has a symbolic link in place of
// the file be an error, NoWait has no FIFO or device in place of it be waited for.
const (
	NoFollow = 0
	NoWait   = 0
)

const movesOpen = false

// lock locks nothing: what a killed run leaves stays.
func lock(*os.File) locking { return noLocks }
