package manual

import (
	"fmt"
	"strings"
	"time"
)

// A page is one manual page and what it is made of.
type page struct {
	command  string // "rdmacap check"
	does     string // what stands in a list of commands
	help     help
	others   []string // commands that it refers to
	version  string
	released time.Time
}

// name is a command as the name of its page: rdmacap-check.
func name(command string) string { return strings.ReplaceAll(command, " ", "-") }

// text is the page.
func (p *page) text() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say(`.TH %s 1 %s "rdmacap %s" "User Commands"`, code(strings.ToUpper(name(p.command))), p.released.UTC().Format(time.DateOnly), code(p.version))
	say(".nh\n.ad l") // file names and options are not to be hyphenated, nor spread
	say(".SH NAME\n%s \\- %s", code(name(p.command)), prose(p.does))
	say(".SH SYNOPSIS")
	for i, line := range p.help.usage {
		if i > 0 {
			say(".br")
		}
		rest := strings.TrimPrefix(line, p.command)
		say(`\fB%s\fR%s`, code(p.command), code(rest))
	}
	say(".SH DESCRIPTION")
	exit := p.description(say)
	list := func(title string, items []item, tag func(string) string) {
		if len(items) == 0 {
			return
		}
		say(".SH %s", title)
		for _, x := range items {
			say(".TP\n%s\n%s", tag(x.name), prose(x.does))
		}
	}
	list("COMMANDS", p.help.commands, func(sub string) string { return `\fB` + code(sub) + `\fR` })
	list("OPTIONS", p.help.flags, flag)
	if exit != "" {
		say(".SH EXIT STATUS\n%s", prose(exit))
	}
	if len(p.help.examples) > 0 {
		say(".SH EXAMPLES")
		kept(say, p.help.examples)
	}
	say(".SH SEE ALSO")
	for i, other := range p.others {
		end := ","
		if i == len(p.others)-1 {
			end = ""
		}
		say(".BR %s (1)%s", code(name(other)), end)
	}
	return b.String()
}

// exitStatus begins the paragraph that has a section of its own in manual pages.
const exitStatus = "Exit status: "

// description writes the prose but for what exit statuses mean, which it returns.
func (p *page) description(say func(string, ...any)) (exit string) {
	begun := false
	for _, x := range p.help.prose {
		text := strings.TrimPrefix(strings.Join(x.lines, " "), "#### ") // as cobra marks headings
		switch {
		case text == "":
			continue
		case strings.HasPrefix(text, exitStatus):
			exit = strings.TrimPrefix(text, exitStatus)
			continue
		}
		if begun { // the section's heading leaves room by itself
			say(".PP")
		}
		begun = true
		if x.kept {
			kept(say, x.lines)
		} else {
			say("%s", prose(text))
		}
	}
	return exit
}

// kept writes lines that are not to be filled.
func kept(say func(string, ...any), lines []string) {
	say(".EX")
	for _, line := range lines {
		say("%s", code(line))
	}
	say(".EE")
}

// flag sets the names of a flag in bold, and its value in italics: -Y, --filter EXPR.
func flag(usage string) string {
	words := strings.Fields(usage)
	for i, w := range words {
		bare, comma := strings.CutSuffix(w, ",")
		font := `\fI`
		if strings.HasPrefix(bare, "-") {
			font = `\fB`
		}
		words[i] = font + code(bare) + `\fR`
		if comma {
			words[i] += ","
		}
	}
	return strings.Join(words, " ")
}
