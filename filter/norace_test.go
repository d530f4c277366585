//go:build !race

package filter

// raced says that the race detector is on.
const raced = false
