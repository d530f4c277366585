// Package allocs counts what a function allocates, and nothing that others do: tests that
// want nothing allocated depend neither on the garbage collector nor on how busy the
// machine is.
package allocs

import (
	"runtime/debug"
	"testing"
)

// Per is how often f allocates, as testing.AllocsPerRun has it, while no garbage is
// collected: what the collector starts, or runs when it is done, allocates too, and is
// counted as if f had done it. Nobody else may be at work, as one who reads a file ahead.
//
// Where f runs a hundred times or more, testing.AllocsPerRun itself will do: it rounds
// down.
func Per(runs int, f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return testing.AllocsPerRun(runs, f)
}
