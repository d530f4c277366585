package manual

import (
	"fmt"
	"time"
)

// A Release is what all pages say of the program.
type Release struct {
	Version string
	Does    string    // what the program does, for the list of pages
	Date    time.Time // of the commit: pages are the same whenever they are made
}

// Pages are the manual pages of a program and its commands, by file name: rdmacap-check.1. The
// function returns what "rdmacap check --help" does for check.
func Pages(program string, r Release, help func(command ...string) (string, error)) (map[string]string, error) {
	files := make(map[string]string)
	var add func(path []string, does string, above string) error
	add = func(path []string, does, above string) error {
		text, err := help(path...)
		if err != nil {
			return err
		}
		p := page{command: program, does: does, help: parseHelp(text), version: r.Version, released: r.Date}
		for _, word := range path {
			p.command += " " + word
		}
		if len(p.help.usage) == 0 || len(p.help.prose) == 0 || len(p.help.flags) == 0 {
			return fmt.Errorf("the help of %s has no text, no usage or no flags", p.command)
		}
		if above != "" {
			p.others = append(p.others, above)
		}
		for _, sub := range p.help.commands {
			if sub.name == "help" { // it prints what the pages say
				continue
			}
			p.others = append(p.others, p.command+" "+sub.name)
			if err := add(append(path[:len(path):len(path)], sub.name), sub.does, p.command); err != nil {
				return err
			}
		}
		files[name(p.command)+".1"] = p.text()
		return nil
	}
	return files, add(nil, r.Does, "")
}
