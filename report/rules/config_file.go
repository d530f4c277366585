package rules

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/BurntSushi/toml"
)

// ParseConfig reads a configuration file in TOML: the settings that it has, and
// the defaults for all others. A setting that does not exist is an error, as is a
// value that it cannot have; name and line stand in it.
func ParseConfig(name, text string) (Config, error) {
	c := DefaultConfig()
	if err := nesting(name, text); err != nil {
		return c, err
	}
	var values map[string]toml.Primitive
	file, err := toml.Decode(text, &values)
	if err != nil {
		return c, inFile(name, err)
	}
	for _, key := range file.Keys() {
		if len(key) > 1 {
			// Of a table that comes first it is an error already.
			return DefaultConfig(), inFile(name, fmt.Errorf("there is no setting %q: settings are not in tables (see 'rdmacap rules --config')", key))
		}
		if err := file.PrimitiveDecode(values[key[0]], &assignment{&c, key[0]}); err != nil {
			return DefaultConfig(), inFile(name, err)
		}
	}
	return c, nil
}

// assignment takes the value of one setting. The TOML package adds the line to
// what it says is wrong.
type assignment struct {
	config *Config
	name   string
}

// UnmarshalTOML implements toml.Unmarshaler.
func (a *assignment) UnmarshalTOML(v any) error {
	s, ok := settingNamed(a.name)
	if ok {
		return s.set(a.config, v)
	}
	var names []string
	for _, s := range Settings() {
		names = append(names, s.Name)
	}
	if like := Nearest(a.name, names); like != "" {
		return fmt.Errorf("there is no setting %q; did you mean %q?", a.name, like)
	}
	return fmt.Errorf("there is no setting %q (see 'rdmacap rules --config')", a.name)
}

func inFile(name string, err error) error {
	var p toml.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s:%d: %s", name, p.Position.Line, p.Message)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// WriteConfig writes the file with all settings, their meaning and their defaults.
func WriteConfig(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Adjustable limits of the rules, with their defaults.\n" +
		"# Use: rdmacap check --config FILE. Durations have a unit: ns, us, ms, s, m or h.\n")
	for _, s := range Settings() {
		fmt.Fprintf(&b, "\n# %s\n# Used by: %s.\n%s = %s\n", s.Meaning, s.Of, s.Name, s.Default())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Nearest is the name that a misspelt word was most likely meant to be, "" if it
// is like none. A name is the nearer the more it has in common with the word at its
// begin and its end.
func Nearest(word string, names []string) (best string) {
	most := len(word) / 2
	for _, name := range names {
		n, short := 0, min(len(word), len(name))
		for n < short && word[n] == name[n] {
			n++
		}
		for back := 1; n < short && back <= short && word[len(word)-back] == name[len(name)-back]; back++ {
			n++
		}
		if n > most {
			best, most = name, n
		}
	}
	return best
}
