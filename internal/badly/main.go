package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

func main() {
	failed, err := run(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp): // it was given
	case err != nil:
		fmt.Fprintln(os.Stderr, "badly:", err)
		os.Exit(2)
	case failed > 0:
		os.Exit(1)
	}
}

// run does what the command line says, and returns how many cases failed.
func run(args []string, out io.Writer) (failed int, err error) {
	flags := flag.NewFlagSet("badly", flag.ContinueOnError)
	cases := flags.Int("cases", 1000, "how many `N`")
	seed := flags.Uint64("seed", 1, "the `NUMBER` that the cases follow from")
	glob := flags.String("samples", "samples/*.pcap.zst", "a `GLOB` of captures")
	frames := flags.Int("frames", 3000, "how many frames of a capture are taken: `N`")
	only := flags.String("only", "", "only the cases whose `NAME` has this")
	program := flags.String("program", "", "run `RDMACAP` too, on a file of each case: "+strings.Join(programs(), ", "))
	jobs := flags.Int("j", 2, "how many cases are played at a time: `N`")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	paths, err := filepath.Glob(*glob)
	if err != nil || len(paths) == 0 {
		return 0, fmt.Errorf("no capture matches %s", *glob)
	}
	list := catalogue.All()
	var samples []*sample
	for _, path := range paths {
		s, err := load(list, path, *frames)
		if err != nil {
			return 0, err
		}
		samples = append(samples, s)
	}
	s, err := overIPv6(list)
	if err != nil {
		return 0, err
	}
	samples = append(samples, s)
	var wait sync.WaitGroup
	var mu sync.Mutex
	turn := make(chan trial)
	tried := make(map[string]int)
	for range max(*jobs, 1) {
		wait.Go(func() {
			for t := range turn {
				wrong, err := t.play(list)
				if err == nil && *program != "" {
					var more []string
					more, err = t.run(*program)
					wrong = append(wrong, more...)
				}
				mu.Lock()
				tried[t.sort.name]++
				if err != nil || len(wrong) > 0 {
					failed++
					fmt.Fprintf(out, "%s: %v\n  %s\n", t.name(), err, strings.Join(wrong, "\n  "))
				}
				mu.Unlock()
			}
		})
	}
	for n := range *cases {
		if t := trialOf(samples, *seed, n); strings.Contains(t.name(), *only) {
			turn <- t
		}
	}
	close(turn)
	wait.Wait()
	n := 0
	for _, name := range names() {
		fmt.Fprintf(out, "%6d  %s\n", tried[name], name)
		n += tried[name]
	}
	fmt.Fprintf(out, "%d cases of %d captures, seed %d: %d failed\n", n, len(samples), *seed, failed)
	return failed, nil
}

// names are those of all sorts.
func names() (list []string) {
	for _, s := range all() {
		list = append(list, s.name)
	}
	return list
}

// all are the sorts and their mixtures.
func all() []sort { return slices.Concat(sorts(), []sort{{"two sorts at once", mixed}}) }
