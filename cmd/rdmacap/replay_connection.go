package main

import (
	"errors"
	"strconv"
)

// A connectionChoice is the value of --connection: a number, or "all"; the zero value is the first.
type connectionChoice struct {
	number int
	all    bool
}

// mostTogether is how many connections are replayed at once.
const mostTogether = 64

func (c *connectionChoice) String() string {
	switch {
	case c.all:
		return "all"
	case c.number == 0:
		return ""
	}
	return strconv.Itoa(c.number)
}

// Set reads a number from 1 on, or "all".
func (c *connectionChoice) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case text == "all":
		*c = connectionChoice{all: true}
	case err != nil || n < 1:
		return errors.New("use a number from 1, or all")
	default:
		*c = connectionChoice{number: n}
	}
	return nil
}

// Type names the value for usage errors.
func (c *connectionChoice) Type() string { return "connection" }
