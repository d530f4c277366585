// Package startup keeps the initialization of bubbletea v1 from asking the terminal for its
// background colour. Every command of a program that links it would: a sequence is written to
// the terminal, and its answer awaited, for up to five seconds where none comes; what was typed
// ahead is lost.
//
// There is no option for that. But termenv, which is what asks, asks nothing where the
// environment has CI, so this package sets it before, and package top, which imports both,
// takes it away again before main begins. The Go specification says that this comes first: of the
// packages that can be initialized, the one whose path sorts first is. This one needs package
// syscall only; termenv needs os, which needs syscall too, and sorts after
// "github.com/rdmacap". A test looks at what is written to a terminal.
package startup

import "syscall"

// variable is what tells termenv that there is no terminal to ask.
const variable = "CI"

// set says that the variable is ours.
var set = claim()

func claim() bool {
	if value, there := syscall.Getenv(variable); there && value != "" {
		return false
	}
	return syscall.Setenv(variable, "1") == nil
}

// Done puts the environment back.
func Done() struct{} {
	if set {
		_ = syscall.Unsetenv(variable) // it was set, so it can be
	}
	return struct{}{}
}
