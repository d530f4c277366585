package main

import (
	"fmt"
	"io"
)

// Exit statuses of the contract.
const (
	exitDone     = 0 // nothing to complain of
	exitFindings = 1 // check: findings at or above --fail-on
	exitUnusable = 2 // the command or its input could not be used
)

// streams are what a command reads from and writes to, and the process that does so.
type streams struct {
	in       io.Reader
	out, err io.Writer
	process
}

// statusError ends a command with a status when all that is to be reported about
// it was reported already.
type statusError struct{ code int }

func (e *statusError) Error() string { return fmt.Sprintf("exit status %d", e.code) }
