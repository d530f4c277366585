package xchar

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
)

// response decodes a RESP_XCHAR with three subsets, as words.
func response(t *testing.T, subsets [3][]uint32) *rpcrdma.Option {
	t.Helper()
	var info []byte
	word := func(v uint32) { info = append(info, byte(v>>24), byte(v>>16), byte(v>>8), byte(v)) }
	for _, words := range subsets {
		word(uint32(len(words)))
		for _, v := range words {
			word(v)
		}
	}
	var h rpcrdma.Header
	h.Decode(build.Header2{Proc: build.OPTIONAL, Option: build.RespXchar, Info: info}.Bytes())
	o := h.Option()
	if o == nil || o.Fault.Bad() {
		t.Fatalf("%x is no RESP_XCHAR: %+v", info, o)
	}
	return o
}

// TestDispositions works out how subsets fit what was requested one element after the
// other, in both orders of bits.
func TestDispositions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	for range 2000 {
		count := rnd.IntN(70)
		var subsets [3][]uint32
		for i := range subsets {
			for range rnd.IntN(4) {
				subsets[i] = append(subsets[i], rnd.Uint32()&rnd.Uint32()&rnd.Uint32())
			}
		}
		o := response(t, subsets)
		for _, r := range []order{leastFirst, mostFirst} {
			want := disposition{-1, -1, -1, 0}
			for n := range 128 {
				in := 0
				for _, words := range subsets {
					bit := n % 32
					if r == mostFirst {
						bit = 31 - bit
					}
					if n/32 < len(words) && words[n/32]>>bit&1 != 0 {
						in++
					}
				}
				switch {
				case n >= count && in > 0 && want.beyond < 0:
					want.beyond = n
				case n < count && in > 1 && want.twice < 0:
					want.twice = n
				case n < count && in == 0:
					if want.lacking++; want.nowhere < 0 {
						want.nowhere = n
					}
				}
			}
			if got := r.disposes(o, count); got != want {
				t.Fatalf("%d elements, subsets %x, order %d: %+v, want %+v", count, subsets, r, got, want)
			}
		}
	}
}

// TestOrderOf finds the order of bits that fits.
func TestOrderOf(t *testing.T) {
	for _, x := range []struct {
		subsets [3][]uint32
		count   int
		order   order
		ok      bool
	}{
		{[3][]uint32{{1}, {2}, {4}}, 3, leastFirst, true},
		{[3][]uint32{{1 << 31}, {1 << 30}, {1 << 29}}, 3, mostFirst, true},
		{[3][]uint32{{^uint32(0)}, {0, 1}, nil}, 33, leastFirst, true},
		{[3][]uint32{{^uint32(0)}, {0, 1 << 31}, nil}, 33, mostFirst, true},
		{[3][]uint32{{1}, {1}, nil}, 1, leastFirst, false},
		{[3][]uint32{nil, nil, nil}, 0, leastFirst, true},
		{[3][]uint32{nil, nil, nil}, 1, leastFirst, false},
	} {
		if r, ok := orderOf(response(t, x.subsets), x.count); r != x.order || ok != x.ok {
			t.Errorf("%d elements, subsets %x: order %d, %v", x.count, x.subsets, r, ok)
		}
	}
}
