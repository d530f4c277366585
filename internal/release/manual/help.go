package manual

import (
	"strings"
)

// A help is what --help says of a command, in its parts.
type help struct {
	prose    []block
	usage    []string
	examples []string
	commands []item
	flags    []item
}

// A block is a paragraph, or lines that stay as they are.
type block struct {
	lines []string
	kept  bool
}

// An item is a flag or a command, and what it does.
type item struct{ name, does string }

// deepest is how far the name of an item is indented at most: a flag without a letter. What is
// further to the right goes on with the text of the item above.
const deepest = 6

// parseHelp takes apart what --help prints. What stands before "Usage:" is prose.
func parseHelp(text string) (h help) {
	part := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "Usage:" || line == "Examples:" || line == "Commands:" || line == "Flags:":
			part = line
		case strings.HasPrefix(line, "Help for a command: "): // in a page, SEE ALSO says so
		case part == "":
			h.prose = addProse(h.prose, line)
		case line == "":
		case part == "Usage:":
			h.usage = append(h.usage, strings.TrimSpace(line))
		case part == "Examples:":
			h.examples = append(h.examples, strings.TrimPrefix(line, "  "))
		case part == "Commands:":
			h.commands = addItem(h.commands, line)
		default:
			h.flags = addItem(h.flags, line)
		}
	}
	return h
}

// addProse adds a line to the block that it is part of, or begins one. Blocks end with an empty
// line, which only is in one if its lines are kept and go on after it.
func addProse(list []block, line string) []block {
	if line == "" {
		return append(list, block{})
	}
	kept := line[0] == ' '
	if n := len(list); n > 0 && (len(list[n-1].lines) == 0 || list[n-1].kept == kept) {
		list[n-1].kept = kept
		list[n-1].lines = append(list[n-1].lines, line)
		return list
	}
	return append(list, block{lines: []string{line}, kept: kept})
}

// addItem adds a line of a list: the name of an item with the beginning of its text, two spaces
// or more between, or more of the text.
func addItem(list []item, line string) []item {
	text := strings.TrimLeft(line, " ")
	if n := len(list); n > 0 && len(line)-len(text) > deepest {
		list[n-1].does = strings.TrimSpace(list[n-1].does + " " + text)
		return list
	}
	name, does, _ := strings.Cut(text, "  ")
	return append(list, item{name, strings.TrimSpace(does)})
}
