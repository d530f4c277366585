package xchar

import (
	"math/bits"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An order says which bit of a word of an xcharsubset is the first. The draft does not.
type order uint8

const (
	leastFirst order = iota // the least significant one, as in the bitmap4 of NFS version 4
	mostFirst
)

// has reports whether an element is in a subset.
func (r order) has(o *rpcrdma.Option, s rpcrdma.Subset, n int) bool {
	if r == mostFirst {
		n ^= 31
	}
	return o.Has(s, n)
}

// beyond is the first element of a subset, from a number on, -1 if there is none.
func (r order) beyond(o *rpcrdma.Option, s rpcrdma.Subset, count int) int {
	words := o.SubsetWords(s)
	for i := count / 32; i < len(words); i++ {
		word := words[i]
		if r == mostFirst {
			word = bits.Reverse32(word)
		}
		if i == count/32 {
			word &^= 1<<(count%32) - 1
		}
		if word != 0 {
			return 32*i + bits.TrailingZeros32(word)
		}
	}
	return -1
}

// mostElements is how many requested characteristics are judged at most.
const mostElements = 1024

// A disposition is how the subsets of a RESP_XCHAR fit so many elements that were
// requested. Its numbers are those of the first such element, -1 if there is none.
type disposition struct {
	twice   int // an element in two subsets
	nowhere int // a requested element in none
	beyond  int // an element that was not requested
	// lacking is how many requested elements are in no subset.
	lacking int
}

// fits reports whether nothing is wrong.
func (d *disposition) fits() bool { return d.twice < 0 && d.nowhere < 0 && d.beyond < 0 }

// disposes works out the disposition of a RESP_XCHAR.
func (r order) disposes(o *rpcrdma.Option, count int) disposition {
	d := disposition{-1, -1, -1, 0}
	for n := range count {
		in := 0
		for _, s := range [...]rpcrdma.Subset{o.Done, o.Rejected, o.Pending} {
			if r.has(o, s, n) {
				in++
			}
		}
		if in > 1 && d.twice < 0 {
			d.twice = n
		}
		if in == 0 {
			if d.lacking++; d.nowhere < 0 {
				d.nowhere = n
			}
		}
	}
	for _, s := range [...]rpcrdma.Subset{o.Done, o.Rejected, o.Pending} {
		if n := r.beyond(o, s, count); n >= 0 && (d.beyond < 0 || n < d.beyond) {
			d.beyond = n
		}
	}
	return d
}

// orderOf is the order of bits in which the subsets of a RESP_XCHAR fit what was
// requested, and whether they do in any. Of very many it is not worked out.
func orderOf(o *rpcrdma.Option, count int) (r order, ok bool) {
	if count > mostElements {
		return leastFirst, false
	}
	for _, r := range [...]order{leastFirst, mostFirst} {
		if d := r.disposes(o, count); d.fits() {
			return r, true
		}
	}
	return leastFirst, false
}
