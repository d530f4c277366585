package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/live"
)

const (
	defaultMemory = "256MiB"
	defaultBuffer = "64MiB"
)

// memoryOptions are the flags of live about the memory that it may take.
type memoryOptions struct {
	memory string
	buffer string
}

func (o *memoryOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.buffer, "buffer", defaultBuffer, "the ring for frames of each interface: `SIZE` with MB or MiB")
	f.StringVar(&o.memory, "memory", defaultMemory, "use at most `SIZE` of memory; when exceeded, connections are shed and counted")
}

// divide divides the memory among the rings of interfaces, what is kept of their frames, in bytes,
// and what follows connections; given says that the size of the rings was chosen.
func (o *memoryOptions) divide(interfaces int, given bool, kept int64, workers int) (d live.Division, err error) {
	memory, err := filter.ParseSize(o.memory)
	if err != nil {
		return d, fmt.Errorf("--memory: %w", err)
	}
	if memory < live.LeastMemory || memory > live.MostMemory {
		return d, errors.New("--memory must be from 128MiB to 1TiB")
	}
	size, err := filter.ParseSize(o.buffer)
	if err != nil {
		return d, fmt.Errorf("--buffer: %w", err)
	}
	if size < live.LeastRing || size > live.MostRing {
		return d, errors.New("--buffer must be from 1MiB to 2GiB")
	}
	d, err = live.Memory{Total: int64(memory), Ring: int64(size), RingGiven: given}.Divide(interfaces, kept, workers)
	if e, little := errors.AsType[*live.TooLittleError](err); little {
		return d, fmt.Errorf("--memory: %s leaves less than %d MiB for tracking connections after %d rings of %d MiB (--buffer) and %d MiB for --write",
			o.memory, e.Least>>20, e.Interfaces, e.Ring>>20, e.Kept>>20)
	}
	return d, err
}
