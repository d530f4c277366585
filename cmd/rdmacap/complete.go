package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/device"
)

// readArgs checks that there is something to read, and standard input once.
func readArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuse(c, fmt.Errorf("%s needs a capture file, or - for standard input", c.Name()))
	}
	piped := false
	for _, name := range args {
		if name == "-" && piped {
			return misuse(c, errors.New("standard input (-) can be read only once"))
		}
		piped = piped || name == "-"
	}
	return nil
}

// completeWith offers a flag's words to the shell.
func completeWith(cmd *cobra.Command, flag string, words ...string) {
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeInterfaces offers to the shell what can be captured on: network interfaces, and
// RDMA devices.
func completeInterfaces(cmd *cobra.Command, flag string, survey func() (device.Machine, error)) {
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		m, err := survey()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for i := range m.Interfaces {
			if x := &m.Interfaces[i]; x.Capturable() {
				state := "down"
				if x.Carrier {
					state = "up"
				}
				list = append(list, cobra.CompletionWithDesc(x.Name, state))
			}
		}
		for i := range m.Devices {
			list = append(list, cobra.CompletionWithDesc(m.Devices[i].Name, "RDMA device"))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}
