package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/report/finding"
)

const (
	defaultMemory, leastMemory, mostMemory = "256MiB", 128 << 20, 1 << 40
	leastBuffer, mostBuffer                = 1 << 20, 1 << 31
	// programMemory is for what the process has beside the rings and the memory that
	// Go manages: the program itself.
	programMemory = 16 << 20
	// leastFollowing is the least that is for following connections.
	leastFollowing = 64 << 20
	// workerMemory is what each worker beside the first takes: batches that it has underway,
	// and what it has said of them.
	workerMemory = 32 << 20
)

// forWorkers sets memory aside for workers, and returns how many of them there is room for.
func (o *memoryOptions) forWorkers(n int) int {
	more := max(0, min(int64(n)-1, (o.following-leastFollowing)/workerMemory))
	o.following -= more * workerMemory
	return int(more) + 1
}

func (o *memoryOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.buffer, "buffer", "64MiB", "the ring for frames of each interface: `SIZE` with MB or MiB; of several, together half of --memory at most unless this is given")
	f.StringVar(&o.memory, "memory", defaultMemory, "take at most `SIZE` of memory, rings included; where that is too little, connections are not followed, which is counted")
}

// divide divides the memory among the rings of interfaces, what is kept of their frames, and what
// follows connections; given says that the size of the rings was chosen.
func (o *memoryOptions) divide(interfaces int, given bool, kept int64) error {
	memory, err := filter.ParseSize(o.memory)
	if err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	if memory < leastMemory || memory > mostMemory {
		return errors.New("--memory: it is from 128MiB to 1TiB")
	}
	size, err := filter.ParseSize(o.buffer)
	if err != nil {
		return fmt.Errorf("--buffer: %w", err)
	}
	if size < leastBuffer || size > mostBuffer {
		return errors.New("--buffer: it is from 1MiB to 2GiB")
	}
	if interfaces > 0 && !given {
		size = max(leastBuffer, min(size, memory/2/uint64(interfaces)))
	}
	following := int64(memory) - int64(size)*int64(interfaces) - kept - programMemory
	if following < leastFollowing {
		return fmt.Errorf("--memory: of %s less than %d MiB is left for following connections beside %d rings of %d MiB (--buffer) and %d MiB for --write",
			o.memory, leastFollowing>>20, interfaces, size>>20, kept>>20)
	}
	o.ringSize, o.following = int(size), following
	return nil
}

// memory is how many octets it takes to keep frames.
func (k *keeping) memory() (n int64) {
	if k == nil {
		return 0
	}
	if n = keep.Underway; k.evidence != nil {
		n += k.evidence.Around.Memory
	}
	return n
}

// relieve has connections left out where the memory for following is too little, or source,
// if it is not nil, fills faster than it is read. Undo is called when that is over.
func (o *pipelineOptions) relieve(out *finding.Live, source *live.Source, tell func(what string)) (undo func()) {
	var memory *shed.Memory
	undo = func() {}
	if o.alone {
		memory, undo = shed.LimitMemory(o.following)
	}
	load := func(now time.Time) (l shed.Load) {
		if source != nil {
			l.Ring = source.Waiting()
		}
		if memory != nil {
			l.Memory, l.Measure = memory.Measure(now)
		}
		return l
	}
	o.relief = &relief{shedder: shed.New(shed.NewPolicy(load, tell).Decide), source: source, out: out, limited: memory != nil}
	return undo
}
