//go:build !unix

package hostile

import "os"

// peak is 0: how much was resident is not asked of other systems.
func peak(*os.ProcessState) int64 { return 0 }
