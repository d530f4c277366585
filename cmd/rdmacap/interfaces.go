package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/replay/verbs"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/machine"
)

func newInterfaces(s streams) *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "interfaces [flags]",
		Short: "List what live can capture on, and what is missing",
		Long: `List the network interfaces of this machine: state, speed, MTU, who stamps
frames with the time, and which offloads put TCP segments together before they
are captured; the RDMA devices with state, addresses and the interfaces that
they belong to; and what this process may do. Below what is missing is the
command that fixes it.

Exit status: 0, or 2 if the machine could not be asked.`,
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
				return misuse(c, fmt.Errorf("--format: unknown form %q: it is text, json or ndjson", format))
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
	cmd.Flags().StringVar(&format, "format", "text", "output form: `FORM` is text, json (one array) or ndjson (one object a line)")
	completeWith(cmd, "format", "text", "json", "ndjson")
	return cmd
}
