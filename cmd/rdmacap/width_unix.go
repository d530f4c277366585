//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// columnsOf is how many columns a terminal has, 0 for what is none or does not say.
func columnsOf(stream any) int {
	if t, ok := stream.(sized); ok {
		return t.Columns()
	}
	f, ok := stream.(*os.File)
	if !ok || !isTerminal(f) {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
