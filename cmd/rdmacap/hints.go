package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/report/rules"
)

// flagMisuse is what is wrong with the flags of a command line. Of a flag that the command does
// not have it says which one was meant.
func flagMisuse(c *cobra.Command, err error) error {
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is {
		return misuse(c, err)
	}
	if named := c.Flags().Args(); !c.HasParent() && len(named) > 0 {
		return misuse(c, unknownCommand(c, named[0])) // rdmacap FILE -V: the command is missing
	}
	like := longHint
	if unknown.GetSpecifiedShortnames() != "" {
		like = shortHint
	}
	hint := like(c, unknown.GetSpecifiedName())
	if hint == "" {
		return misuse(c, err)
	}
	return misuse(c, fmt.Errorf("%w; %s", err, hint))
}

// longHint is what was meant by a long flag that a command does not have: one of another
// command, or one of this that is written much the same. It is "" if there is none.
func longHint(c *cobra.Command, name string) string {
	if slices.Contains(forms(c), name) {
		return "the output format is --format " + name
	}
	if others := commandsWith(c, func(f *pflag.FlagSet) bool { return f.Lookup(name) != nil }); others != "" {
		return "that is a flag of " + others
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if like := rules.Nearest(name, names); like != "" {
		return "did you mean --" + like + "?"
	}
	return ""
}

// commandsWith are the commands, but this one, with such flags, as a person would list them: a few
// of them, or read and how many more.
func commandsWith(c *cobra.Command, has func(*pflag.FlagSet) bool) string {
	var list []string
	var look func(*cobra.Command)
	look = func(x *cobra.Command) {
		if x != c && x.Runnable() && has(x.Flags()) {
			list = append(list, x.CommandPath())
		}
		for _, sub := range x.Commands() {
			if !sub.Hidden {
				look(sub)
			}
		}
	}
	look(c.Root())
	const few = 3
	if n := len(list); n > few && slices.Contains(list, "rdmacap read") {
		return fmt.Sprintf("rdmacap read and of %d other commands", n-1)
	} else if n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// shortHint is what does here what such a flag does in tshark, which is what the fingers know,
// or which commands have it; "" if there is nothing like it.
func shortHint(c *cobra.Command, name string) string {
	reads := "rdmacap read FILE"
	if takesFiles(c) {
		reads = c.CommandPath() + " FILE"
	}
	has := func(flag string) bool { return c.Flags().Lookup(flag) != nil }
	switch name {
	case "r":
		return "the capture is an argument: " + reads
	case "T", "e", "E":
		lister := c
		if c.Name() != "live" {
			lister, _, _ = c.Root().Find([]string{"read"}) // which is there
		}
		form := "the output format is --format " + strings.Join(forms(lister), "|")
		if lister == c && !has("columns") {
			return form
		}
		return "rdmacap read selects fields with --columns LIST, and " + form
	case "z":
		return "for statistics: rdmacap stats FILE"
	case "w":
		if c.Name() == "live" {
			return "--write DIR saves what is captured"
		}
		if c.Name() == "cut" {
			return "the file to write is -o OUT.pcapng"
		}
		return "rdmacap cut FILE -o OUT.pcapng writes selected packets, rdmacap live --write DIR what is captured"
	case "i":
		return "to capture on an interface: rdmacap live -i IFACE"
	case "D":
		return "to list interfaces: rdmacap interfaces"
	case "n", "N":
		return "addresses and ports are always numeric"
	case "c":
		if has("limit") {
			return "--limit N limits the number of rows"
		}
	case "R":
		if has("filter") {
			return "a filter is -Y EXPR"
		}
	case "t":
		if has("time") {
			return "--time selects how times are shown"
		}
	case "f":
		if has("capture-filter") {
			return "the capture filter is --capture-filter rdma or none"
		}
	case "d":
		if has("roce-port") {
			return "other RDMA ports are given with --roce-port and --iwarp-port, tunnels with --decap"
		}
	case "O", "P":
		if has("details") {
			return "-V shows every field of every layer, -x its bytes as well"
		}
	}
	if len(name) > 1 {
		return "" // no flag has a letter beyond ASCII, and none can be asked for
	}
	if others := commandsWith(c, func(f *pflag.FlagSet) bool { return f.ShorthandLookup(name) != nil }); others != "" {
		return "that is a flag of " + others
	}
	return ""
}

// forms are the words that --format of a command takes, as its completion offers them.
func forms(c *cobra.Command) []string {
	if complete, is := c.GetFlagCompletionFunc("format"); is {
		list, _ := complete(c, nil, "")
		return list
	}
	return nil
}

// takesFiles reports whether captures are arguments of a command.
func takesFiles(c *cobra.Command) bool { return strings.Contains(c.Use, " FILE") && c.Name() != "live" }
