//go:build !unix

package main

// hangups does nothing: there are no such signals on this system.
func hangups(func()) (release func()) { return func() {} }
