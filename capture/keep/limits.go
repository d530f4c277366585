package keep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/filter"
)

// Limits are those of a ring of files.
type Limits struct {
	// Size is the most bytes of a file, Age how long one is written, Count how many
	// there are at most, with the one that is being written.
	Size  int64
	Age   time.Duration
	Count int
}

// Bytes are how many the files of the ring have together at most.
func (l Limits) Bytes() int64 { return l.Size * int64(l.Count) }

const (
	leastSize, mostSize   = 100_000, 1 << 40
	leastCount, mostCount = 2, 100_000
)

// ParseLimits reads limits as "64MB,1h,100", of which parts may be left out: those are of l.
func (l Limits) ParseLimits(s string) (Limits, error) {
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if n, err := strconv.Atoi(part); err == nil {
			if n < leastCount || n > mostCount {
				return l, fmt.Errorf("the number of files must be from %d to %d, not %d", leastCount, mostCount, n)
			}
			l.Count = n
		} else if d, err := time.ParseDuration(part); err == nil {
			if d < time.Second {
				return l, fmt.Errorf("%v is less than a second", d)
			}
			l.Age = d
		} else if size, err := filter.ParseSize(part); err == nil {
			if size < leastSize || size > mostSize {
				return l, fmt.Errorf("%s: a file has from 100kB to 1TiB", part)
			}
			l.Size = int64(size)
		} else {
			return l, fmt.Errorf("%q is not a size, a time and a number of files, as in 64MB,1h,100", part)
		}
	}
	return l, nil
}

// Around says what is kept around an occasion.
type Around struct {
	// Before and After are how much of the time before and after it.
	Before, After time.Duration
	// Memory is how many bytes of frames are kept in memory; an excerpt has at most
	// twice as many.
	Memory int64
}

const leastMemory, mostMemory = 1 << 20, 1 << 32

// ParseAround reads what is kept as "10s,5s,32MiB": before, after, and the memory; parts
// may be left out from the end: those are of a.
func (a Around) ParseAround(s string) (Around, error) {
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return a, errors.New("use a time before, a time after and a size, as in 10s,5s,32MiB")
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if i == 2 {
			size, err := filter.ParseSize(part)
			if err != nil {
				return a, err
			}
			if size < leastMemory || size > mostMemory {
				return a, fmt.Errorf("%s: the size must be from 1MiB to 4GiB", part)
			}
			a.Memory = int64(size)
			continue
		}
		d, err := time.ParseDuration(part)
		if err != nil || d < 0 || d > time.Hour {
			return a, fmt.Errorf("%q is not a time of up to 1h, such as 10s", part)
		}
		if i == 0 {
			a.Before = d
		} else {
			a.After = d
		}
	}
	return a, nil
}
