package rocev2

import (
	"math/bits"
	"testing"
)

// The factors are what the polynomial of the CRC-32 makes them.
func TestClmulBy(t *testing.T) {
	const p = 1<<32 | 0x04C11DB7 // IEEE 802.3 section 3.2.9
	// power is x^n mod p, n at least 32, and the last 33 coefficients of what p
	// goes into x^n times.
	power := func(n int) (rest, times uint64) {
		rest = 1
		for range n {
			rest, times = rest<<1, times<<1
			if rest>>32 != 0 {
				rest, times = rest^p, times|1
			}
		}
		return rest, times & (1<<33 - 1)
	}
	reversed := func(v uint64) uint64 { return bits.Reverse64(v) >> 31 } // of 33 bits
	fold := func(n int) uint64 { rest, _ := power(n); return reversed(rest) }
	_, barrett := power(64)
	want := [...]uint64{fold(512 + 32), fold(512 - 32), fold(128 + 32), fold(128 - 32), fold(64), 0, 1<<32 - 1, 0, reversed(barrett), reversed(p)}
	if clmulBy != want {
		t.Errorf("factors %#x, want %#x", clmulBy, want)
	}
}
