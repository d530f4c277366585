//go:build race

package main

// raced says that the race detector is on, which takes several times the memory.
const raced = true
