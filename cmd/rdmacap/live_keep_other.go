//go:build !unix

package main

// onHangup does nothing: there is no SIGHUP on this system.
func onHangup(func()) (release func()) { return func() {} }
