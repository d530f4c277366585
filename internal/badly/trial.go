package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A sample is a capture and what it says whole.
type sample struct {
	name   string
	frames []capture.Frame
	whole  *outcome
}

// load reads the first frames of a capture.
func load(list []*rules.Rule, path string, most int) (*sample, error) {
	file, err := capture.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	s := &sample{name: name}
	var f capture.Frame
	for len(s.frames) < most {
		if err := file.Next(&f); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		f.Data = slices.Clone(f.Data)
		s.frames = append(s.frames, f)
	}
	if len(s.frames) < 2 {
		return nil, fmt.Errorf("%s has no frames", path)
	}
	if s.whole, err = observe(list, slices.Clone(s.frames)); err != nil {
		return nil, err
	}
	return s, nil
}

// A trial is one case: a sample that is captured badly in one way.
type trial struct {
	sample *sample
	sort   sort
	seed   uint64
	number int
}

// trialOf is the case with a number.
func trialOf(samples []*sample, seed uint64, number int) trial {
	sorts := all()
	// Every sort of every sample comes once before one comes again.
	n := number % (len(samples) * len(sorts))
	return trial{samples[n%len(samples)], sorts[n/len(samples)], seed, number}
}

// name reports it from all others of the seed.
func (t *trial) name() string {
	return fmt.Sprintf("%s, %s, case %d", t.sample.name, t.sort.name, t.number)
}

// capture captures the sample badly.
func (t *trial) capture() []capture.Frame {
	rnd := rand.New(rand.NewPCG(t.seed, uint64(t.number)))
	return t.sort.of(slices.Clone(t.sample.frames), rnd)
}

// play captures the sample badly, and returns what the whole one contradicts.
func (t *trial) play(list []*rules.Rule) (wrong []string, err error) {
	frames := t.capture()
	numbers := make(map[int32]int64)
	for i := range frames {
		f := &frames[i]
		numbers[f.File]++
		f.Number = numbers[f.File]
	}
	got, err := observe(list, frames)
	if err != nil {
		return nil, err
	}
	wrong = got.differs(t.sample.whole)
	if t.sort.name == oneFrame {
		wrong = append(wrong, got.blames(t.sample.whole)...)
	}
	slices.Sort(wrong)
	return wrong, nil
}
