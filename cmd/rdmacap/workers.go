package main

import (
	"errors"
	"strconv"
)

// mostWorkers is more than any machine needs, and few enough that their memory is none.
const mostWorkers = 64

// workers is the value of a flag: how many threads follow connections.
type workers int

// Set reads the number as the user gave it.
func (w *workers) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > mostWorkers {
		return errors.New("use a number from 1 to " + strconv.Itoa(mostWorkers))
	}
	*w = workers(n)
	return nil
}

// String is "", so that --help names no default that depends on the machine.
func (w *workers) String() string { return "" }

// Type is the word that cobra's completion scripts use.
func (w *workers) Type() string { return "int" }
