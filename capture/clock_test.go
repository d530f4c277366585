package capture

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestClock holds every resolution against exact arithmetic.
func TestClock(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for resolution := range 256 {
		for range 50 {
			ticks := random.Uint64() >> random.UintN(64)
			offset := int64(random.Uint64()) >> random.UintN(64)
			c := newClock(byte(resolution), offset)
			if got, want := c.nanoseconds(ticks), exactly(byte(resolution), ticks, offset); got != want {
				t.Fatalf("resolution %#x, %d ticks, offset %d s: got %d ns, want %d", resolution, ticks, offset, got, want)
			}
		}
	}
}

// exactly is what a clock must give, in numbers without an end. Each of the
// two terms, and then their sum, is held to what 64 bits can say.
func exactly(resolution byte, ticks uint64, offset int64) int64 {
	base := big.NewInt(10)
	if resolution&0x80 != 0 {
		base = big.NewInt(2)
	}
	unit := new(big.Int).Exp(base, big.NewInt(int64(resolution&0x7f)), nil)
	n := new(big.Int).SetUint64(ticks)
	n.Mul(n, big.NewInt(1e9)).Quo(n, unit)
	s := new(big.Int).Mul(big.NewInt(offset), big.NewInt(1e9))
	return clamp(big.NewInt(clamp(n)), big.NewInt(clamp(s)))
}

func clamp(terms ...*big.Int) int64 {
	sum := new(big.Int)
	for _, t := range terms {
		sum.Add(sum, t)
	}
	switch {
	case sum.IsInt64():
		return sum.Int64()
	case sum.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

func TestClockExamples(t *testing.T) {
	for _, c := range []struct {
		what       string
		resolution byte
		offset     int64
		ticks      uint64
		want       int64
	}{
		{"microseconds", 6, 0, 1_700_000_000_123_456, 1_700_000_000_123_456_000},
		{"nanoseconds", 9, 0, 1_700_000_000_123_456_789, 1_700_000_000_123_456_789},
		{"seconds", 0, 0, 1_700_000_000, 1_700_000_000_000_000_000},
		{"picoseconds", 12, 0, 1_999, 1},
		{"2^-10 s", 0x8a, 0, 1_700_000_000<<10 | 512, 1_700_000_000_500_000_000},
		{"2^-32 s, as DAG cards count", 0xa0, 0, 1_700_000_000<<32 | 1<<31, 1_700_000_000_500_000_000},
		{"with an offset", 6, 1_700_000_000, 5, 1_700_000_000_000_005_000},
		{"with an offset back", 6, -1, 3_000_000, 2_000_000_000},
		{"before 1970", 6, -10, 1, -9_999_999_000},
	} {
		k := newClock(c.resolution, c.offset)
		if got := k.nanoseconds(c.ticks); got != c.want {
			t.Errorf("%s: got %d, want %d", c.what, got, c.want)
		}
	}
}
