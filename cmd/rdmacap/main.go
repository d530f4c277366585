// Command rdmacap dissects NFS over RDMA: it reads RoCE, InfiniBand and iWARP traffic
// from capture files and interfaces and says what happened, from the frame to the RPC.
//
// This package is wiring only: one file a command, options bound to a struct,
// a run function that a test can call. What the commands do lives in the
// packages that they call.
package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/spf13/cobra"
)

func main() {
	if !pipeline.GarbageChosen() {
		debug.SetGCPercent(pipeline.StartGarbage)
	}
	os.Exit(runProcess(os.Args[1:]))
}

// run executes one command line and returns its exit status. A command that reads what would go
// on, or that plays a capture, ends early when ctx is cancelled.
func run(ctx context.Context, args []string, s streams) int { return execute(ctx, newRoot(s), args, s) }

func execute(ctx context.Context, cmd *cobra.Command, args []string, s streams) int {
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if out, is := cmd.OutOrStdout().(*helpOutput); is && out.failed != nil {
		err = writeError(out.failed)
	}
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
