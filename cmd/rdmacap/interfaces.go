package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/machine"
)

func newInterfaces(s streams) *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "interfaces [flags]",
		Short: "List what live can capture on, and what is missing",
		Long: `List the network interfaces of this machine: state, speed, MTU, the source of
timestamps, and which offloads merge TCP segments before they are captured; the
RDMA devices with their state, addresses and interfaces; and what this process
is permitted to do. Whatever is missing is listed with the command that fixes
it.

Exit status: 0, or 2 if the system could not be queried.`,
		Example: `  rdmacap interfaces
  rdmacap interfaces --format ndjson | jq -r '.remedies[]?.command | select(.)'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(c, errors.New("interfaces takes no arguments"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "text" && format != "json" && format != "ndjson" {
				return misuse(c, fmt.Errorf("--format: unknown format %q: use text, json or ndjson", format))
			}
			m, err := device.Survey()
			if err != nil {
				return err
			}
			m.NoVerbs = !verbs.Built
			if format == "text" {
				err = machine.Write(s.out, &m, columnsOf(s.out))
			} else {
				err = record.WriteMachine(s.out, format == "json", &m)
			}
			if err != nil {
				return writeError(err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "output format: `FORMAT` is text, json (one array) or ndjson (one object per line)")
	completeWith(cmd, "format", "text", "json", "ndjson")
	return cmd
}
