package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rdmacap/rdmacap/internal/damage"
)

// A unit is one capture to compare: a variant of a sample.
type unit struct {
	sample  *sample
	variant *damage.Variant
	seed    int // from 1
}

// name is the unit's: the sample's, the variant's and the seed.
func (u *unit) name() string {
	switch {
	case u.variant.Name == whole:
		return u.sample.name
	case u.seed > 1:
		return fmt.Sprintf("%s.%s.%d", u.sample.name, u.variant.Name, u.seed)
	}
	return u.sample.name + "." + u.variant.Name
}

// file is the name of its capture.
func (u *unit) file() string {
	if u.variant.Name == whole && u.sample.path != "" {
		return filepath.Base(u.sample.path)
	}
	return u.name() + ".pcap"
}

// unitsOf are those of all samples; a variant that does not depend on the seed is one.
// Scenes are too short to be damaged by hundredths, and are compared whole.
func unitsOf(samples []sample, chosen []damage.Variant, seeds int) (list []unit) {
	for i := range samples {
		for j := range chosen {
			v := &chosen[j]
			if v.Name != whole && samples[i].path == "" {
				continue
			}
			list = append(list, unit{&samples[i], v, 1})
			for seed := 2; v.Random && seed <= seeds; seed++ {
				list = append(list, unit{&samples[i], v, seed})
			}
		}
	}
	return list
}

// A result is what came of a unit.
type result struct {
	unit     *unit
	outputs  int // compared
	kept     int // of the old build's, that the cache had
	refused  int // that both builds ended with status 2
	crashed  int // that both builds ended with the same panic
	differ   map[string]*difference
	commands []string // those that differ, in order
}

// A comparison is the work to do.
type comparison struct {
	old, new string // the two builds; new is "" where the old one's outputs are only kept
	commands []command
	all      bool
	cache    cache
	temp     string
	keep     string // where differing outcomes are put; "" for nowhere
}

// compare compares one unit by all commands that fit.
func (c *comparison) compare(u *unit) (*result, error) {
	folder, err := os.MkdirTemp(c.temp, "unit-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, u.file())
	if err := u.sample.write(path, u.variant, u.seed); err != nil {
		return nil, fmt.Errorf("%s: %w", u.name(), err)
	}
	sum, err := sumOf(path)
	if err != nil {
		return nil, err
	}
	r := &result{unit: u, differ: make(map[string]*difference)}
	for i := range c.commands {
		if !c.commands[i].fits(u.sample, u.variant.Name, c.all) {
			continue
		}
		if err := c.one(r, &c.commands[i], folder, sum); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// one compares a unit by one command.
func (c *comparison) one(r *result, cmd *command, folder, sum string) error {
	at := c.cache.path(sum, cmd.line(r.unit.file()))
	var old outcome
	oldSum := c.cache.sum(at)
	if oldSum != "" {
		r.kept++
	} else {
		var err error
		if old, err = run(c.old, cmd, folder, r.unit.file()); err != nil {
			return err
		}
		oldSum = old.sum()
		if err := c.cache.store(at, old, oldSum); err != nil {
			return err
		}
	}
	if c.new == "" {
		return nil
	}
	new, err := run(c.new, cmd, folder, r.unit.file())
	if err != nil {
		return err
	}
	r.outputs++
	if new.sum() == oldSum {
		switch {
		case new.crashed():
			r.crashed++
		case new.refused():
			r.refused++
		}
		return nil
	}
	if old == nil {
		if old, err = c.cache.get(at); err != nil {
			return err
		}
	}
	r.commands = append(r.commands, cmd.name)
	r.differ[cmd.name] = firstDifference(old, new)
	return errors.Join(c.store("old", r.unit, cmd, old), c.store("new", r.unit, cmd, new))
}

// store keeps a differing outcome: DIR/old and DIR/new have the same files, for diff -r.
func (c *comparison) store(which string, u *unit, cmd *command, o outcome) error {
	if c.keep == "" {
		return nil
	}
	for _, p := range o {
		path := filepath.Join(c.keep, which, u.name(), cmd.name, p.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, p.data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
