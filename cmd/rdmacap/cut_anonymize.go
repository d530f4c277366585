package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/capture/extract"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/export/anonymize"
	"github.com/rdmacap/rdmacap/internal/pipeline"
)

// anonymizeOptions are the flags for files that are to leave the house.
type anonymizeOptions struct {
	anonymize bool
	key       string
}

func (o *anonymizeOptions) register(f *pflag.FlagSet) {
	f.BoolVar(&o.anonymize, "anonymize", false, "replace addresses, names, IDs, file handles, file data and everything unknown")
	f.StringVar(&o.key, "key", "", "with --anonymize: the `FILE` for the key and the replacements; created if it does not exist")
}

// check says what is wrong with the flags.
func (o *anonymizeOptions) check(captures []string, output string) error {
	if o.key == "" {
		return nil
	}
	if !o.anonymize {
		return errors.New("--key needs --anonymize")
	}
	for _, other := range append([]string{output}, captures...) {
		if filepath.Clean(other) == filepath.Clean(o.key) {
			return fmt.Errorf("--key: %s is one of the captures, or the file to write", field.Visible(o.key))
		}
	}
	return nil
}

// An anonymizer replaces what frames say of people, machines and files.
type anonymizer struct {
	made *anonymize.Plan
	file *anonymize.KeyFile // nil if the key is not kept
}

// open is the anonymizer, nil if nothing is to be replaced.
func (o *anonymizeOptions) open() (*anonymizer, error) {
	if !o.anonymize {
		return nil, nil
	}
	if o.key == "" {
		key := anonymize.NewKey()
		return &anonymizer{made: anonymize.NewPlan(&key)}, nil
	}
	file, err := anonymize.OpenKeyFile(o.key)
	if err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	return &anonymizer{made: anonymize.NewPlan(&file.Key), file: file}, nil
}

// plan finds out what becomes of the frames, and writes the key before anything is written that only it
// explains. Unusable is what was wrong with reading the captures before, which is no news then.
func (h *anonymizer) plan(c *cobra.Command, s streams, o *cutOptions, bindings *dissect.Bindings, files []string, frames *extract.Set, unusable error) error {
	planner := anonymize.NewPlanner(h.made, frames.Has)
	input := o.pipeline(bindings)
	input.Units, input.Accesses = true, planner
	if err := dissectFiles(c.Context(), s, files, planner, input, true); err != nil && unusable == nil {
		return err
	}
	input = o.pipeline(bindings)
	input.Units = true
	if err := dissectFiles(c.Context(), s, files, anonymize.Sealer{Plan: h.made}, input, true); err != nil && unusable == nil {
		return err
	}
	if h.file != nil {
		if err := h.file.Save(h.made.Mapping()); err != nil {
			return fmt.Errorf("--key: %w", err)
		}
	}
	return nil
}

// printReplaced says what was replaced.
func (h *anonymizer) printReplaced(s streams) {
	m, stats := h.made.Mapping(), h.made.Stats()
	key := "nobody has the key"
	if h.file != nil {
		key = "key in " + field.Visible(h.file.Path())
	}
	fmt.Fprintf(s.err, "cut: anonymized: %s, %s, %s, %s, %s of data; %s\n",
		plural(m.Count(anonymize.Address), "address", "addresses"), field.Counted(m.Count(anonymize.Name), "name"),
		field.Counted(m.Count(anonymize.Handle), "file handle"), field.Counted(m.Count(anonymize.ID), "user and group ID"),
		field.Counted(stats.Data, "byte"), key)
	if stats.Unknown > 0 {
		fmt.Fprintf(s.err, "cut: nothing that %s carried was recognized: all of it was replaced\n", pipeline.FrameCount(stats.Unknown))
	}
}

// plural is "1 address", "2 addresses".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
