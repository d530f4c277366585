//go:build unix

package hostile

import (
	"os"
	"runtime"
	"syscall"
)

// peak is how many bytes of a program that has ended were resident at most.
func peak(p *os.ProcessState) int64 {
	most := int64(p.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return most // in bytes there, in KiB elsewhere
	}
	return most << 10
}
