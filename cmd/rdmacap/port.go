package main

import (
	"errors"
	"strconv"
)

// A port is the value of a flag: a UDP port, 0 until it is set.
type port uint16

// Set reads the port as the user gave it.
func (p *port) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return errors.New("a port is a number from 1 to 65535")
	}
	*p = port(n)
	return nil
}

// String is the port, "" for none, so that --help names no default.
func (p *port) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.Itoa(int(*p))
}

// Type is the word that cobra's completion scripts use.
func (p *port) Type() string { return "port" }
