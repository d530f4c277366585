package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/report/lines"
)

// Columns of help. It is as wide wherever it is read, so that what is copied out of it, or
// mailed, is the same.
const (
	helpWidth   = 79
	flagColumn  = 28 // where what a flag does begins
	commandsGap = 2  // between the name of a command and what it does
)

// helpText is what --help prints of a command.
func helpText(c *cobra.Command) []byte {
	var b bytes.Buffer
	about := c.Long
	if about == "" {
		about = c.Short
	}
	writeProse(&b, strings.TrimSpace(about))
	fmt.Fprintln(&b)
	usage(&b, c)
	return b.Bytes()
}

// writeProse writes paragraphs, broken anew, and lines that are indented, which stay.
func writeProse(w io.Writer, text string) {
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			fmt.Fprintln(w, strings.Join(lines.Wrap(strings.Join(paragraph, " "), helpWidth, helpWidth), "\n"))
		}
		paragraph = paragraph[:0]
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "\t"): // as the library's texts have commands
			end()
			fmt.Fprintln(w, "  "+line[1:])
		case line == "", line[0] == ' ':
			end()
			fmt.Fprintln(w, line)
		default:
			paragraph = append(paragraph, line)
		}
	}
	end()
}

// usage writes how a command is called, with examples, its subcommands and its flags.
func usage(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				writeItem(w, "  "+sub.Name(), sub.Short, 2+sub.NamePadding()+commandsGap)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				name, does := flagUsage(f)
				writeItem(w, name, does, flagColumn)
			}
		})
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nHelp for a command: %s [command] --help\n", c.CommandPath())
	}
}

// writeItem writes a name and, from a column on, what it does: in the line of the name, if that
// ends before the column.
func writeItem(w io.Writer, name, does string, column int) {
	margin := strings.Repeat(" ", column)
	text := lines.Wrap(does, helpWidth-column, helpWidth-column)
	if len(name) <= column-2 {
		name, text = fmt.Sprintf("%-*s%s", column, name, text[0]), text[1:]
	}
	fmt.Fprintln(w, name)
	for _, line := range text {
		fmt.Fprintf(w, "%s%s\n", margin, line)
	}
}

// flagUsage is a flag with its letter and its value, and what it does with its default, both
// as the library has them.
func flagUsage(f *pflag.Flag) (name, does string) {
	var one pflag.FlagSet
	one.AddFlag(f)
	line := strings.TrimRight(one.FlagUsages(), "\n")
	indent := len(line) - len(strings.TrimLeft(line, " "))
	name, does, _ = strings.Cut(line[indent:], "   ")
	return line[:indent] + name, does
}
