package span

import (
	"math/rand/v2"
	"testing"
)

// TestAgainstBitmap adds random spans and compares with one bool a byte.
func TestAgainstBitmap(t *testing.T) {
	const size = 64
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var set Set
		var seen [size]bool
		for range 12 {
			lo := rnd.Uint64N(size)
			hi := lo + rnd.Uint64N(size-lo+1)
			want := uint64(0)
			for i := lo; i < hi; i++ {
				if !seen[i] {
					seen[i] = true
					want++
				}
			}
			if got := set.Add(lo, hi); got != want {
				t.Fatalf("seed %d: Add(%d, %d) = %d new bytes, want %d: %v", seed, lo, hi, got, want, set)
			}
			total := uint64(0)
			for _, s := range seen {
				if s {
					total++
				}
			}
			if set.Len() != total {
				t.Fatalf("seed %d: Len = %d, want %d: %v", seed, set.Len(), total, set)
			}
			for i := 1; i < len(set); i++ {
				if set[i-1].End >= set[i].Start {
					t.Fatalf("seed %d: spans touch or overlap: %v", seed, set)
				}
			}
		}
		for lo := range uint64(size) {
			hi := lo + rnd.Uint64N(size-lo+1)
			want := true
			for i := lo; i < hi; i++ {
				want = want && seen[i]
			}
			if got := set.Covers(lo, hi); got != want {
				t.Fatalf("seed %d: Covers(%d, %d) = %v, want %v: %v", seed, lo, hi, got, want, set)
			}
		}
	}
}

func TestGrowingAtTheEndAllocatesNothing(t *testing.T) {
	set := make(Set, 0, 1)
	if n := testing.AllocsPerRun(100, func() {
		set = set[:0]
		for i := range uint64(100) {
			set.Add(i*10, i*10+10)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
