package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// compareAll compares units, several at a time, and reports them in their order.
func (c *comparison) compareAll(units []unit, jobs int, tell func(*result) error) (err error) {
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range units {
			next <- i
		}
	}()
	var (
		mu   sync.Mutex
		wait sync.WaitGroup
		done = make(map[int]*result) // not told yet
		told int
	)
	for range jobs {
		wait.Go(func() {
			for i := range next {
				mu.Lock()
				failed := err != nil
				mu.Unlock()
				if failed {
					continue
				}
				r, bad := c.compare(&units[i])
				mu.Lock()
				done[i] = r
				for bad == nil && err == nil && done[told] != nil {
					bad = tell(done[told])
					delete(done, told)
					told++
				}
				if err == nil {
					err = bad
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return err
}

// A printer prints what came of each unit, and counts.
type printer struct {
	out      io.Writer
	progress io.Writer // a terminal; nil for none
	total    int

	units, outputs, kept, refused, crashed, differ int

	byCommand map[string]int // how many outputs differ
}

// print prints the differences of one unit.
func (t *printer) print(r *result) error {
	t.units++
	t.outputs += r.outputs
	t.kept += r.kept
	t.refused += r.refused
	t.crashed += r.crashed
	t.differ += len(r.commands)
	t.show("")
	for _, name := range r.commands {
		if t.byCommand == nil {
			t.byCommand = make(map[string]int)
		}
		t.byCommand[name]++
		if _, err := fmt.Fprintf(t.out, "%s %s: %s\n", r.unit.name(), name, r.differ[name]); err != nil {
			return err
		}
	}
	t.show(fmt.Sprintf("%d of %d captures, %d outputs, %d differ", t.units, t.total, t.outputs, t.differ))
	return nil
}

// show replaces the line of progress on a terminal.
func (t *printer) show(line string) {
	if t.progress != nil {
		fmt.Fprintf(t.progress, "\r\x1b[K%s", line) // progress may be lost
	}
}

// close prints what it came to.
func (t *printer) close() error {
	t.show("")
	for _, name := range slices.Sorted(maps.Keys(t.byCommand)) {
		if _, err := fmt.Fprintf(t.out, "%s: %d differ\n", name, t.byCommand[name]); err != nil {
			return err
		}
	}
	line := fmt.Sprintf("%d outputs of %d captures compared, %d differ", t.outputs, t.units, t.differ)
	if t.refused > 0 {
		line += fmt.Sprintf("; %d are the same refusal (exit status 2)", t.refused)
	}
	if t.crashed > 0 {
		line += fmt.Sprintf("; %d are the same panic", t.crashed)
	}
	if t.kept > 0 {
		line += fmt.Sprintf("; %d of OLD's were in the cache", t.kept)
	}
	_, err := fmt.Fprintln(t.out, line)
	return err
}
