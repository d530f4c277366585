package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A documented command line of rdmacap stands in a document, or among a command's examples.
type documented struct {
	where string
	args  []string
	// piped says that another program writes to its standard input.
	piped bool
}

// documents are README.md and those in docs, by name, of the project in a folder.
func documents(t *testing.T, root string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(names) < 15 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	list := make(map[string]string)
	for _, name := range append(names, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = string(text)
	}
	return list
}

// documentedLines are those of README.md, of docs, and of the examples that --help shows.
func documentedLines(t *testing.T) (list []documented) {
	t.Helper()
	for name, text := range documents(t, ".") {
		for _, line := range shellLines(text) {
			list = append(list, commandsIn(name, line)...)
		}
	}
	everyCommand(func(c *cobra.Command, _ []string) {
		for _, line := range joined(strings.Split(c.Example, "\n")) {
			list = append(list, commandsIn(c.CommandPath()+" --help", line)...)
		}
	})
	return list
}

// span is code in a line of text, command one that is nothing but a command line: where
// a block does not say that it is of a shell, there may be a picture of a screen in it.
var (
	span    = regexp.MustCompile("`(rdmacap [^`]+)`")
	command = regexp.MustCompile(`^rdmacap \S+( \S+)*( +#.*)?$`)
)

// shellLines are the command lines of a text in Markdown: those of its blocks of code, and of
// the code in its sentences.
func shellLines(text string) (list []string) {
	var block []string
	language, inside := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		fence, is := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case is && inside:
			list, block, inside = append(list, joined(block)...), nil, false
		case is:
			language, inside = fence, true
		case inside && (language == "sh" || language == "" && command.MatchString(line)):
			block = append(block, line)
		case inside && language == "yaml":
			if _, run, is := strings.Cut(line, "run: "); is {
				block = append(block, run)
			}
		case !inside:
			for _, m := range span.FindAllStringSubmatch(line, -1) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// joined are lines of a shell, those that go on in the next in one.
func joined(lines []string) (list []string) {
	open := false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if open {
			list[len(list)-1] += " " + line
		} else {
			list = append(list, line)
		}
		last := &list[len(list)-1]
		open = strings.HasSuffix(*last, "|") || strings.HasSuffix(*last, `\`)
		*last = strings.TrimSuffix(*last, `\`)
	}
	return list
}

// commandsIn are the command lines of rdmacap in a line of a shell.
func commandsIn(where, line string) (list []documented) {
	var words []string
	piped := false
	end := func(pipe bool) {
		if len(words) > 0 && filepath.Base(words[0]) == "rdmacap" {
			args := words[1:]
			if i := slices.Index(args, ">"); i >= 0 {
				args = args[:i]
			}
			list = append(list, documented{where + ": " + line, args, piped})
		}
		words, piped = nil, pipe
	}
	for _, w := range shellWordsOf(line) {
		switch w {
		case "|", ";", "&", "&&", "(", ")":
			end(w == "|")
		default:
			words = append(words, w)
		}
	}
	end(false)
	return list
}

// shellWordsOf are the words of a line without its comment, as a shell takes them apart.
// Letters of a synopsis are not the shell's.
func shellWordsOf(line string) (words []string) {
	var word strings.Builder
	begun := false
	end := func() {
		if begun {
			words = append(words, word.String())
			word.Reset()
			begun = false
		}
	}
	quote := rune(0)
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == '#' && !begun:
			return words
		case r == ' ':
			end()
		case strings.ContainsRune("|;&()>", r) && !begun:
			begun = true
			word.WriteRune(r)
			end()
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	end()
	return words
}
