package own

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/textfile"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/document"
)

// What a folder of rules may have at most: they may come from anywhere.
const (
	mostRules = 256
	mostBytes = 64 << 10 // of a file
)

// A Rule is one that a user wrote.
type Rule struct {
	*rules.Rule
	// Document is what it was made of.
	Document *document.Document
	// Samples are those of the document, with their places in it.
	Samples []document.Sample
}

// Load reads the files *.rule of a folder, by their names. Known are the rules that there are
// already, whose families no other may have; sets are the fields that conditions may name.
// Each file that is wrong adds to the error.
func Load(dir string, known []*rules.Rule, sets *query.Sets) ([]Rule, error) {
	paths, err := filepath.Glob(filepath.Join(literally(dir), "*.rule"))
	if err != nil {
		return nil, err
	}
	switch {
	case len(paths) == 0:
		if _, err := os.ReadDir(dir); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s has no files *.rule", dir)
	case len(paths) > mostRules:
		return nil, fmt.Errorf("%s has %d rules; at most %d can be used at a time", dir, len(paths), mostRules)
	}
	var list []Rule
	var faults []error
	for _, path := range paths {
		text, err := textfile.Read(path, mostBytes)
		if err == nil {
			var r Rule
			if r, err = New(path, text, sets); err == nil {
				err = clash(r, list, known)
			}
			list = append(list, r)
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	if faults == nil {
		faults = causes(list, known)
	}
	return list, errors.Join(faults...)
}

// literally is a path whose characters have no meaning in a pattern.
func literally(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// New makes the rule of a document. What is wrong is a *document.Error.
func New(file, text string, sets *query.Sets) (r Rule, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if err := printable(file, text); err != nil {
		return r, err
	}
	if r.Document, err = document.Parse(file, text); err != nil {
		return r, err
	}
	if r.Samples, err = r.Document.Samples(); err != nil {
		return r, err
	}
	c, err := conditionsOf(r.Document, sets)
	if err != nil {
		return r, err
	}
	if err := complete(r.Document); err != nil {
		return r, err
	}
	r.Rule = rules.Of(r.Document, c.check())
	return r, nil
}

// printable refuses what would not show as it is written, wherever the text comes to stand.
func printable(file, text string) error {
	line, column := 1, 1
	for _, c := range text {
		switch {
		case c == '\n':
			line, column = line+1, 1
			continue
		case c == '\uFFFD', c < ' ' && c != '\t', c >= 0x7f && c < 0xa0, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069:
			return &document.Error{File: file, Line: line, Column: column, Reason: fmt.Sprintf("a character that does not print (%U)", c)}
		}
		column += len(string(c))
	}
	return nil
}

// complete checks that a finding can say what it means, and what to do.
func complete(d *document.Document) error {
	for _, must := range [...]struct{ name, text string }{{"meaning", d.Meaning}, {"advice", d.Advice}} {
		if must.text == "" {
			return &document.Error{File: d.File, Line: 1, Reason: "the rule has no section == " + must.name}
		}
	}
	if len(d.Cases) > 0 {
		return &document.Error{File: d.File, Line: 1, Reason: "a rule with conditions has no cases: write a rule for each"}
	}
	return nil
}

// clash refuses an ID that is taken, or whose family is.
func clash(r Rule, list []Rule, known []*rules.Rule) error {
	for _, o := range list {
		if o.Rule != nil && o.ID == r.ID {
			return &document.Error{File: r.Document.File, Line: 1, Reason: r.ID + " is in " + o.Document.File + " too"}
		}
	}
	if slices.ContainsFunc(known, func(o *rules.Rule) bool { return o.Family() == r.Family() }) {
		return &document.Error{File: r.Document.File, Line: 1, Reason: r.ID + ": family " + r.Family() + " is one of rdmacap's own: use another, such as SITE-001"}
	}
	return nil
}

// causes checks that rules are explained by rules that there are.
func causes(list []Rule, known []*rules.Rule) (faults []error) {
	names := make(map[string]bool)
	add := func(r *rules.Rule) {
		names[r.ID] = true
		for _, c := range r.Cases {
			names[r.ID+c.Letter] = true
		}
	}
	for _, r := range known {
		add(r)
	}
	for _, r := range list {
		add(r.Rule)
	}
	for _, r := range list {
		for _, id := range r.Causes {
			if !names[id] || id == r.ID {
				faults = append(faults, &document.Error{File: r.Document.File, Line: 1, Reason: fmt.Sprintf("there is no other rule %q to explain its findings", id)})
			}
		}
	}
	return faults
}
