//go:build !unix

package main

// whileKeeping does nothing: there are no such signals on this system.
func whileKeeping(func()) (release func()) { return func() {} }
