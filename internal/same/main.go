package main

import (
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/rdmacap/rdmacap/internal/damage"
)

func main() {
	differ, err := compareBuilds(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp): // it was given
	case err != nil:
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(2)
	case differ > 0:
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	seeds, jobs        int
	samples            string
	more               []string
	scenes, all        bool
	variants, commands string
	keep, cache        string
}

// compareBuilds does what the command line says, and returns how many outputs differ.
func compareBuilds(args []string, out, progress io.Writer) (differ int, err error) {
	var o options
	flags := flag.NewFlagSet("same", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.Usage = func() {
		fmt.Fprintln(progress, "usage: same [flags] OLD NEW\nOLD and NEW are two builds of cmd/rdmacap; with -cache, OLD alone fills the cache. Flags:")
		flags.PrintDefaults()
	}
	flags.IntVar(&o.seeds, "seeds", 1, "each random variant is made `N` times, from other seeds")
	flags.IntVar(&o.jobs, "j", runtime.NumCPU(), "how many captures are compared at a time: `N`")
	flags.StringVar(&o.samples, "samples", "samples/*.pcap.zst", "a `GLOB` of captures; \"\" for none")
	flags.Func("more", "a further `DIR` of captures; may be repeated", func(dir string) error {
		o.more = append(o.more, dir)
		return nil
	})
	flags.BoolVar(&o.scenes, "scenes", true, "compare the scenes of the rules too, whole")
	flags.BoolVar(&o.all, "all", false, "every command on every capture, also those that take long")
	flags.StringVar(&o.variants, "variants", "", "only the variants of a `LIST`: "+strings.Join(names(allVariants()), ","))
	flags.StringVar(&o.commands, "commands", "", "only the commands of a `LIST`, on every capture: "+strings.Join(names(commands()), ","))
	flags.StringVar(&o.keep, "keep", "", "put differing outputs into `DIR`/old and DIR/new")
	flags.StringVar(&o.cache, "cache", "", "keep OLD's outputs in `DIR`, and take from there what it has")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	if flags.NArg() != 2 && (flags.NArg() != 1 || o.cache == "") || o.jobs < 1 {
		flags.Usage()
		return 0, errors.New("it takes two builds")
	}
	return o.compare(flags.Arg(0), flags.Arg(1), out, progress)
}

// compare compares two builds; without a new one, what the old one says is only kept.
func (o *options) compare(old, new string, out, progress io.Writer) (differ int, err error) {
	c := &comparison{all: o.all || o.commands != "", keep: o.keep}
	if c.old, err = filepath.Abs(old); err != nil {
		return 0, err
	}
	if new != "" {
		if c.new, err = filepath.Abs(new); err != nil {
			return 0, err
		}
		if a, b := versionOf(c.old), versionOf(c.new); a != b {
			return 0, fmt.Errorf("%s is version %s and %s is %s, which shows in reports: build both with -buildvcs=false", old, a, new, b)
		}
	}
	if c.commands, err = chosen(commands(), o.commands); err != nil {
		return 0, err
	}
	variants, err := chosen(allVariants(), o.variants)
	if err != nil {
		return 0, err
	}
	samples, err := samplesOf(o.samples, o.more)
	if err != nil {
		return 0, err
	}
	if o.scenes {
		samples = append(samples, scenes()...)
	}
	units := unitsOf(samples, variants, o.seeds)
	if len(units) == 0 {
		return 0, errors.New("there is nothing to compare")
	}
	if c.cache, err = newCache(o.cache, c.old); err != nil {
		return 0, err
	}
	if c.temp, err = os.MkdirTemp("", "same-*"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.temp)
	t := &printer{out: out, total: len(units)}
	if f, ok := progress.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		t.progress = f
	}
	if err := c.compareAll(units, o.jobs, t.print); err != nil {
		return 0, err
	}
	return t.differ, t.close()
}

// versionOf is the version that the toolchain stamped into a build; "" for what is none.
func versionOf(path string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return ""
	}
	return info.Main.Version
}

// whole is the variant that leaves a capture as it is.
const whole = "whole"

// allVariants are the whole capture and its damaged variants.
func allVariants() []damage.Variant {
	return append([]damage.Variant{{Name: whole}}, damage.Variants()...)
}

// A named thing can be chosen on the command line.
type named interface{ Called() string }

func (c command) Called() string { return c.name }

func names[T named](list []T) (all []string) {
	for _, x := range list {
		all = append(all, x.Called())
	}
	return all
}

// chosen are the things that a list separated by commas names; all if it is empty.
func chosen[T named](all []T, list string) (some []T, err error) {
	if list == "" {
		return all, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(x T) bool { return x.Called() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q: %s", name, strings.Join(names(all), ", "))
		}
		some = append(some, all[i])
	}
	return some, nil
}
