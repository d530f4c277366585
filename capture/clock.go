package capture

import (
	"math"
	"math/bits"
)

// A clock turns the times of a pcapng interface into nanoseconds since 1970:
//
//	ticks ──* multiply──> 128 bits ──>> shift──/ divide──+ offset──> nanoseconds
type clock struct {
	multiply, divide uint64
	shift            uint
	offset           int64 // nanoseconds
}

const second = 1_000_000_000 // nanoseconds

// newClock makes the clock for an if_tsresol and an if_tsoffset (seconds), as
// draft-ietf-opsawg-pcapng section 4.2 defines them. The top bit of resolution
// says whether the rest is a negative power of 2 or of 10.
func newClock(resolution byte, offset int64) clock {
	c := clock{multiply: 1, divide: 1, offset: saturatedSeconds(offset)}
	power := uint(resolution & 0x7f)
	if resolution&0x80 != 0 {
		c.multiply, c.shift = second, power
		return c
	}
	for ; power < 9; power++ {
		c.multiply *= 10
	}
	for ; power > 9; power-- {
		if c.divide > math.MaxUint64/10 {
			// A unit so short that 64 bits of it are less than a nanosecond.
			c.multiply = 0
			break
		}
		c.divide *= 10
	}
	return c
}

// nanoseconds is the time at that many ticks, or the nearest that fits.
func (c *clock) nanoseconds(ticks uint64) int64 {
	high, low := bits.Mul64(ticks, c.multiply)
	if c.shift != 0 {
		high, low = shiftRight(high, low, c.shift)
	}
	if c.divide != 1 {
		low /= c.divide // multiply is 1 here, so high is 0
	}
	if high != 0 || low > math.MaxInt64 {
		low = math.MaxInt64
	}
	t := int64(low) + c.offset
	if c.offset > 0 && t < 0 {
		return math.MaxInt64
	}
	return t
}

// shiftRight shifts a number of 128 bits; Go's shifts by 64 and more give 0.
func shiftRight(high, low uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return 0, high >> (n - 64)
	}
	return high >> n, low>>n | high<<(64-n)
}

// saturatedSeconds is s seconds in nanoseconds, or the nearest that fits.
func saturatedSeconds(s int64) int64 {
	switch {
	case s > math.MaxInt64/second:
		return math.MaxInt64
	case s < math.MinInt64/second:
		return math.MinInt64
	}
	return s * second
}
