package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// unknownCommand says that a word is no command, and what it may have been: a
// capture without a command, or a command misspelt.
func unknownCommand(c *cobra.Command, word string) error {
	_, err := os.Stat(word)
	switch name := shellWords([]string{word}); {
	case c.HasParent():
	case err == nil || word == "-" || looksLikeCapture(word):
		return fmt.Errorf("unknown command %q; to check a capture: rdmacap check %s, to list it: rdmacap read %s", word, name, name)
	}
	return fmt.Errorf("unknown command %q%s", word, meantCommand(c, word))
}

// meantCommand asks whether a command was meant by a word that is none, or says which there
// are, if they are few.
func meantCommand(c *cobra.Command, word string) string {
	if like := c.SuggestionsFor(word); len(like) > 0 {
		return fmt.Sprintf("; did you mean %q?", like[0])
	}
	if !c.HasParent() || strings.Contains(c.Use, " ") {
		return "" // there are many, or the word may be its argument
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return "; it is " + strings.Join(names, ", ")
}

// looksLikeCapture reports whether a word is what a capture file is called.
func looksLikeCapture(word string) bool {
	return slices.Contains([]string{".pcap", ".pcapng", ".cap", ".gz", ".zst"}, filepath.Ext(word))
}

// subcommandsOnly has a command that only its subcommands do something for show its help, and
// refuse any other word.
func subcommandsOnly(c *cobra.Command) {
	c.SuggestionsMinimumDistance = 2
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return misuse(c, unknownCommand(c, args[0]))
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}
