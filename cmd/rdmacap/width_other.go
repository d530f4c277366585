//go:build !unix

package main

// columnsOf is how many columns a terminal has, 0 for one that does not say: a real one is asked
// on Unix only.
func columnsOf(stream any) int {
	if t, ok := stream.(sized); ok {
		return t.Columns()
	}
	return 0
}
