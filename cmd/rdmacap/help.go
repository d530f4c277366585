package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// A helpOutput is where help goes, and scripts for a shell: it keeps the first error, for
// which the library has no way.
type helpOutput struct {
	to     io.Writer
	failed error
}

func (h *helpOutput) Write(b []byte) (int, error) {
	n, err := h.to.Write(b)
	if h.failed == nil {
		h.failed = err
	}
	return n, err
}

// registerHelp gives all commands their help, and the library's own commands, help and
// completion, the manners of the others.
func registerHelp(root *cobra.Command) {
	// An error of writing is with the writer, a helpOutput.
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _, _ = c.OutOrStdout().Write(helpText(c)) })
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = helpArgs
		case "completion":
			subcommandsOnly(c)
		}
	}
}

// helpArgs refuses to help with what is no command.
func helpArgs(c *cobra.Command, args []string) error {
	if about, rest, err := c.Root().Find(args); err != nil || len(rest) > 0 {
		word := args[len(args)-1]
		if len(rest) > 0 {
			word = rest[0]
		}
		return misuse(c, fmt.Errorf("there is no command %q%s", word, meantCommand(about, word)))
	}
	return nil
}
