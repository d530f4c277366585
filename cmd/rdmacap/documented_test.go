package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestDocumentedFlags holds that the command lines in README.md, docs and examples name commands
// that exist, and flags that these have.
func TestDocumentedFlags(t *testing.T) {
	t.Chdir("../..")
	list := documentedLines(t)
	for _, d := range list {
		if wrong := d.wrong(); wrong != "" {
			t.Errorf("%s: %s", d.where, wrong)
		}
	}
	if len(list) < 150 {
		t.Errorf("only %d command lines were found", len(list))
	}
}

// TestDocumentedFlagNames holds that a flag that a sentence of a document names is one of
// some command.
func TestDocumentedFlagNames(t *testing.T) {
	flags := make(map[string]bool)
	everyCommand(func(c *cobra.Command, _ []string) {
		c.InitDefaultHelpFlag()
		c.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	})
	named := regexp.MustCompile("`--([a-z0-9-]+)")
	seen := 0
	for name, text := range documents(t, "../..") {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if seen++; !flags[m[1]] {
				t.Errorf("%s: no command has a flag --%s", name, m[1])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d flags were found", seen)
	}
}

// TestDocumentedFlagsWrong holds that TestDocumentedFlags sees what is wrong.
func TestDocumentedFlagsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"rdmacap raed trace.pcap":                  `there is no command "raed"`,
		"x | rdmacap read --nonesuch -":            "no flag --nonesuch",
		"rdmacap read FILE... [--nonesuch a|b]":    "no flag --nonesuch",
		"rdmacap rules trace.pcap -Y nfs # -r":     "no flag -Y",
		"rdmacap export pictures a.pcap":           `there is no command "pictures"`,
		"rdmacap live {-i IFACE... | -r FILE}":     "",
		"rdmacap check --rules -SEC a --format=ab": "",
		"rdmacap read -xV a 'b --c' # --d":         "",
	} {
		list := commandsIn("", line)
		if len(list) != 1 || list[0].wrong() != want {
			t.Errorf("%s: %+v", line, list)
		}
	}
}

// wrong is what is wrong with a command line or a synopsis, "" if nothing is.
func (d documented) wrong() string {
	c, rest, err := newRoot(streams{}).Find(d.args)
	if err != nil {
		return err.Error()
	}
	if len(rest) > 0 && c.HasSubCommands() && !takesFiles(c) && c.Name() != "rules" && !strings.HasPrefix(rest[0], "-") {
		return "there is no command \"" + rest[0] + "\""
	}
	c.InitDefaultHelpFlag()
	for i, w := range rest {
		w = strings.Trim(w, "[]{}")
		if len(w) < 2 || w[0] != '-' || i > 0 && takesValue(c, strings.Trim(rest[i-1], "[]{}")) {
			continue
		}
		if name, long := strings.CutPrefix(w, "--"); long {
			name, _, _ = strings.Cut(name, "=")
			name, _, _ = strings.Cut(name, "[")
			if c.Flags().Lookup(name) == nil {
				return "no flag --" + name
			}
			continue
		}
		for _, letter := range strings.Split(w[1:], "") {
			f := c.Flags().ShorthandLookup(letter)
			if f == nil {
				return "no flag -" + letter
			}
			if f.NoOptDefVal == "" {
				break // the rest is its value
			}
		}
	}
	return ""
}

// takesValue reports whether the word after a flag is its value.
func takesValue(c *cobra.Command, word string) bool {
	if name, long := strings.CutPrefix(word, "--"); long {
		f := c.Flags().Lookup(name)
		return f != nil && f.NoOptDefVal == ""
	}
	if len(word) != 2 || word[0] != '-' {
		return false
	}
	f := c.Flags().ShorthandLookup(word[1:])
	return f != nil && f.NoOptDefVal == ""
}

// TestDocumentedRuns runs the documented command lines that need no device, no network and no
// right, with captures that ship in the place of those that they name.
func TestDocumentedRuns(t *testing.T) {
	t.Chdir("../..")
	ran := make(map[string]int)
	done := make(map[string]bool)
	for _, d := range documentedLines(t) {
		if !d.runs() || done[strings.Join(d.args, "\x00")] {
			continue
		}
		done[strings.Join(d.args, "\x00")] = true
		args, in := d.standIns(t)
		r := rdmacapReading(in, args...)
		quiet := slices.Contains(args, "-q")
		if r.status != exitDone && r.status != exitFindings || r.out == "" && !quiet {
			t.Errorf("%s\nrdmacap %s: status %d, %d bytes of output, %s", d.where, strings.Join(args, " "), r.status, len(r.out), r.err)
		}
		ran[d.args[0]]++
	}
	for command, least := range map[string]int{"read": 10, "check": 6, "report": 2, "annotate": 2, "stats": 2, "export": 2, "rules": 6, "live": 1, "replay": 2, "version": 1} {
		if ran[command] < least {
			t.Errorf("only %d command lines of %s were run", ran[command], command)
		}
	}
}

// captureName is what stands for a capture of the reader's own.
var captureName = regexp.MustCompile(`^[\w/*.-]+\.(pcap|pcapng)(\.gz|\.zst)?$`)

// runs reports whether the command line is one to run here: a whole one, not the name of
// a command in a sentence or a synopsis.
func (d documented) runs() bool {
	if len(d.args) == 0 || slices.ContainsFunc(d.args, func(w string) bool {
		return strings.ContainsAny(w, "[{…") || slices.Contains([]string{"ID", "FILE", "FILE...", "--help"}, w)
	}) {
		return false
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(d.args, w) })
	}
	reads := d.piped || slices.ContainsFunc(d.args, captureName.MatchString)
	switch d.args[0] {
	case "version", "rules", "completion":
		return true
	case "read", "check", "report", "annotate", "stats", "export":
		return reads
	case "live":
		return reads && has("-r") && !has("--follow", "--top", "-i")
	case "replay":
		return reads && has("--dry-run")
	}
	return false
}

// standIns are the words with files that exist, or may be written, in the place of the
// reader's own, and what is on standard input.
func (d documented) standIns(t *testing.T) (args []string, in io.Reader) {
	samples := []string{"samples/rxe-cb.pcap.zst", "samples/siw-cb.pcap.zst"}
	if slices.Contains(d.args, "--export") { // for a conversation that does not begin at the root
		samples = []string{"samples/siw-loss.pcap.zst"}
	}
	args, in = slices.Clone(d.args), strings.NewReader("")
	if d.piped {
		in = bytes.NewReader(unpacked(t, "rxe-cb"))
	}
	read := 0
	for i, w := range args {
		before := ""
		if i > 0 {
			before = args[i-1]
		}
		switch {
		case before == "-o" && w != "-", before == "--write":
			args[i] = filepath.Join(t.TempDir(), filepath.Base(w))
		case w == "site":
			args[i] = "docs/examples/rules"
		case captureName.MatchString(w) && !strings.HasPrefix(w, "samples/"):
			args[i] = samples[read%len(samples)]
			read++
		}
	}
	return args, in
}
