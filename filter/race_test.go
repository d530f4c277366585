//go:build race

package filter

// raced says that the race detector is on, under which a sync.Pool forgets at random.
const raced = true
