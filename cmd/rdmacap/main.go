// Command rdmacap dissects NFS over RDMA: it reads RoCEv2 traffic from capture
// files and says what happened, from the frame to the RPC.
//
// This package is wiring only: one file a command, options bound to a struct,
// a run function that a test can call. What the commands do lives in the
// packages that they call.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Exit statuses of the contract.
const (
	exitDone     = 0 // nothing to complain of
	exitFindings = 1 // check: findings at or above --fail-on
	exitUnusable = 2 // the command or its input could not be used
)

// streams are what a command reads from and writes to.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	debug.SetGCPercent(startGarbage)
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run executes one command line and returns its exit status.
func run(args []string, s streams) int { return execute(newRoot(s), args, s) }

func execute(cmd *cobra.Command, args []string, s streams) int {
	cmd.SetArgs(args)
	err := cmd.Execute()
	var status *statusError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &status):
		return status.code
	}
	complain(s, "%v", err)
	return exitUnusable
}

// statusError ends a command with a status when all that is to be said about
// it was said already.
type statusError struct{ code int }

func (e *statusError) Error() string { return fmt.Sprintf("exit status %d", e.code) }
