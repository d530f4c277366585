package main

import "fmt"

// timeSource is the value of a flag: whether the time of a frame is that of a switch.
type timeSource bool

// Set reads the word of the user.
func (t *timeSource) Set(word string) error {
	switch word {
	case "capture", "switch":
		*t = word == "switch"
		return nil
	}
	return fmt.Errorf("unknown source %q: use capture or switch", word)
}

// String is that word.
func (t *timeSource) String() string {
	if *t {
		return "switch"
	}
	return "capture"
}

// Type is the word that cobra's completion scripts use.
func (t *timeSource) Type() string { return "what" }
