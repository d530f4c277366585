package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls do with each command of the program, hidden and nested ones too, and the
// words that call it.
func everyCommand(do func(c *cobra.Command, words []string)) {
	var walk func(*cobra.Command, []string)
	walk = func(c *cobra.Command, words []string) {
		do(c, words)
		for _, sub := range c.Commands() {
			walk(sub, append(slices.Clone(words), sub.Name()))
		}
	}
	walk(newRoot(streams{}), nil)
}

// TestHelpWidth holds that the help of every command fits a terminal of 80 columns, and that all
// its flags and subcommands stand in it.
func TestHelpWidth(t *testing.T) {
	seen := 0
	everyCommand(func(c *cobra.Command, words []string) {
		seen++
		out := must(t, append(words, "--help")...)
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 || strings.Contains(line, "\t") {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(out, " --"+f.Name) {
				t.Errorf("%s --help: nothing about --%s", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if !sub.Hidden && !strings.Contains(out, "\n  "+sub.Name()+" ") {
				t.Errorf("%s --help: nothing about %s", c.CommandPath(), sub.Name())
			}
		}
	})
	if seen < 19 {
		t.Errorf("only %d commands", seen)
	}
}

// TestProse holds that paragraphs are broken anew, however they stand in the source, and that
// commands and lines that are indented stay as they are.
func TestProse(t *testing.T) {
	var b bytes.Buffer
	word := strings.Repeat("word ", 15) + "word" // 79 columns, all that there is
	writeProse(&b, word+" and\nmore.\n\nA list:\n  one\n  two\n\tcommand\nEnd.")
	if got, want := b.String(), word+"\nand more.\n\nA list:\n  one\n  two\n  command\nEnd.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUsageItem holds how names and what they do stand beside each other, or below.
func TestUsageItem(t *testing.T) {
	long := strings.Repeat("word ", 12)
	for _, c := range []struct{ name, does, want string }{
		{"  a", "short", "  a                         short\n"},
		{"  --a-name-that-fills-all-it", "short", "  --a-name-that-fills-all-it\n                            short\n"},
		{"  --a-name-that-leaves-two", "short", "  --a-name-that-leaves-two  short\n"},
		{"  a", long, "  a                         word word word word word word word word word word\n                            word word\n"},
	} {
		var b bytes.Buffer
		if writeItem(&b, c.name, c.does, flagColumn); b.String() != c.want {
			t.Errorf("%q, %q:\n%s", c.name, c.does, b.String())
		}
	}
}

// TestFlagUsage holds what help says of a flag.
func TestFlagUsage(t *testing.T) {
	var f pflag.FlagSet
	f.StringP("size", "s", "64MB", "a `SIZE` of something")
	f.Bool("all", false, "all of them")
	f.String("least", "", "this `SEVERITY` or worse")
	f.Lookup("least").NoOptDefVal = "error"
	for name, want := range map[string][2]string{
		"size":  {"  -s, --size SIZE", `a SIZE of something (default "64MB")`},
		"all":   {"      --all", "all of them"},
		"least": {`      --least SEVERITY[="error"]`, "this SEVERITY or worse"},
	} {
		if name, does := flagUsage(f.Lookup(name)); name != want[0] || does != want[1] {
			t.Errorf("%q, %q", name, does)
		}
	}
}
