//go:build linux

// Command compare measures rdmacap beside tshark, each as a whole process, on the
// same captures in the same run:
//
//	tshark -q -z io,stat,0 -r FILE   beside   rdmacap check, rdmacap report
//	tshark -r FILE                   beside   rdmacap read, as text and as NDJSON
//
// with one worker and with as many as rdmacap takes by itself, one for each core.
// FILE is a sample whose records are repeated (-times), and the first 60 frames of
// one, which show what it costs to start. The commands of a round run in turn, so that
// whatever else the machine does falls on all alike; CPU seconds stand beside
// seconds, since other work disturbs them less.
//
//	go run ./bench/compare                     tables in Markdown
//	go run ./bench/compare -times 20,200 -rounds 3
//	go run ./bench/compare -check              exit status 1 unless the README's claims hold
//	go run ./bench/compare -plots DIR          plots of time against size and workers, as SVG
//
// The exit status is 2 if it cannot measure: it needs Go and tshark.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

var errClaims = errors.New("what the README claims does not hold")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "compare:", err)
	if errors.Is(err, errClaims) {
		os.Exit(1)
	}
	os.Exit(2)
}

func run(ctx context.Context, args []string) error {
	var repeats []int
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.Func("times", "how often the records of a sample are repeated; a list with commas (default 20)", func(list string) error {
		for _, text := range strings.Split(list, ",") {
			n, err := strconv.ParseUint(text, 10, 16)
			if err != nil || n == 0 {
				return fmt.Errorf("%q is not a number from 1 to 65535", text)
			}
			repeats = append(repeats, int(n))
		}
		return nil
	})
	rounds := flags.Uint("rounds", 7, "how often each command is timed, at least once")
	judge := flags.Bool("check", false, "exit with status 1 unless the README's claims hold")
	plots := flags.String("plots", "", "write plots to this `folder` instead of tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("nothing is known of %q (-help)", flags.Args())
	}
	if repeats == nil {
		repeats = []int{20}
	}
	if _, err := exec.LookPath("tshark"); err != nil {
		return fmt.Errorf("tshark is what rdmacap is compared with (apt-get install tshark): %w", err)
	}

	folder, err := os.MkdirTemp("", "rdmacap-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("finding the module's folder: %w", err)
	}
	b := &bench{ctx: ctx, root: strings.TrimSpace(string(root)), folder: folder, rounds: max(1, int(*rounds))}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-pgo=cmd/rdmacap/rdmacap.pgo", "-o", b.rdmacap(), "./cmd/rdmacap")
	build.Dir, build.Stderr = b.root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building rdmacap: %w", err)
	}
	if *plots != "" {
		return b.plot(*plots)
	}
	hold, err := b.tables(repeats)
	if err == nil && *judge && !hold {
		err = errClaims
	}
	return err
}

func (b *bench) rdmacap() string { return filepath.Join(b.folder, "rdmacap") }

// tables measures each sample and prints a table for each capture made of it; hold
// is whether all claims hold.
func (b *bench) tables(repeats []int) (hold bool, err error) {
	hold = true
	for _, sample := range samples {
		for _, times := range repeats {
			list, err := b.table(sample, times, 0)
			if err != nil {
				return false, err
			}
			for _, c := range claims {
				if c.sample == sample {
					text, holds := c.check(list)
					fmt.Println("-", text)
					hold = hold && holds
				}
			}
			fmt.Println()
		}
	}
	_, err = b.table(samples[0], 1, 60)
	return hold, err
}

// table measures all commands on one capture, and prints its table.
func (b *bench) table(sample string, times, most int) ([]*command, error) {
	file, frames, err := b.repeat(sample, times, most)
	if err != nil {
		return nil, err
	}
	list := b.beside(file)
	if err := b.measure(list); err != nil {
		return nil, err
	}
	fmt.Printf("%s × %d, %d frames, %d rounds\n\n%s\n", sample, times, frames, b.rounds, table(list, frames))
	return list, os.Remove(file)
}
