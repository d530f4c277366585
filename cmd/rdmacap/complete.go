package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
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
